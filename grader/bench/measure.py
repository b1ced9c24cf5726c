"""How things are measured: whole processes, in turn, several times; the middle of what was seen."""

import dataclasses
import glob
import json
import os
import statistics
import subprocess
import time

# One thread everywhere: what a grade has, and what its peers get.
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclasses.dataclass
class Figure:
    """One line of the table. `bound` speaks of the ratio where there is one, of what was measured otherwise."""

    name: str
    measured: float
    unit: str
    peer: str = ""
    peer_value: float | None = None  # in the same unit
    ratio: float | None = None
    bound: float | None = None  # None: for information
    at_most: bool = True
    note: str = ""
    details: dict = dataclasses.field(default_factory=dict)

    @property
    def judged(self):
        return self.measured if self.ratio is None else self.ratio

    @property
    def met(self):
        if self.bound is None:
            return None
        return self.judged <= self.bound if self.at_most else self.judged >= self.bound


class Unmeasured(Exception):
    """What a figure needs is not there. The message says what."""


def output_of(argv, environment=None, may_fail=False):
    done = subprocess.run([str(word) for word in argv], env=environment or ENVIRONMENT, capture_output=True, text=True)
    # 1: attest found something in the file that it graded.
    if done.returncode != 0 and not (may_fail and done.returncode == 1):
        raise Unmeasured(f"{' '.join(map(str, argv[:3]))} ... failed: {done.stderr.strip()[-300:]}")
    return done.stdout


def json_of(argv, environment=None):
    return json.loads(output_of(argv, environment))


def seconds_of(argv, environment=None, may_fail=False):
    """Wall time of a whole process."""
    start = time.perf_counter()
    output_of(argv, environment, may_fail)
    return time.perf_counter() - start


def in_turn(times, *measurements):
    """Each measurement `times` times, one after the other and then again: a busy moment meets all of them. A list for each."""
    rounds = [[measure() for measure in measurements] for _ in range(times)]
    return [list(column) for column in zip(*rounds)]


def median(values):
    return statistics.median(values)


def median_ratio(above, below):
    """Of neighbours: what slowed one down, slowed down the other."""
    return statistics.median(a / b for a, b in zip(above, below))


def peak_memory_mb(argv):
    """The largest resident memory of the process itself, without its children: their peaks are in getrusage()'s."""
    process = subprocess.Popen([str(word) for word in argv], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                peak = max([peak] + [int(line.split()[1]) for line in status if line.startswith("VmHWM")])
        except OSError:
            pass
        time.sleep(0.002)
    return peak / 1024


def with_openblas():
    """PyTorch runs on whatever BLAS Debian's alternatives name, and with the reference BLAS it is no peer for anybody. Looked for
    where LD_LIBRARY_PATH says, then where the package puts it. Nothing, where there is none."""
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(":") + glob.glob("/usr/lib/*/openblas-pthread")
    known = [folder for folder in folders if folder and os.path.exists(f"{folder}/libblas.so.3")]
    return {**ENVIRONMENT, "LD_LIBRARY_PATH": known[0]} if known else None
