"""A thousand submissions in a row, right, wrong and hostile, by one grader: what it holds on to, and what is left.

    soak.py PROGRAM [--submissions N] [--seed N]

Prints, every hundred reports, the grader's memory, open files and children, and fails where one of them grows, where a right file is not
given 100 points or a hostile one is accepted, or where a process or a file is left in the end.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import time

import examine

WRONG = examine.ROOT / "grader" / "testdata" / "natural"
RIGHT = examine.ROOT / "grader" / "testdata" / "correct"
IN_CPP = 0.1  # the share that is compiled
CASES = 20  # of each property: what leaks does so at every start and every call
GROWTH_MB = 60  # what the caches of right answers and a longer list of reports may take, whatever the number of submissions
STEP = 100


def corpus(count, seed):
    """Kinds, paths and texts: two fifths hostile, two fifths wrong, one fifth right. Those that wait for a clock are left out."""
    slow = {"sleep", "hang", "loop", "stop", "bomb", "wait", "fill", "flood", "many", "memory", "deep", "busy", "spin"}
    hostile = [path for path in sorted(examine.CORPUS.glob("*/*")) if not any(word in path.stem for word in slow)]
    kinds = [("hostile", hostile)] * 2 + [("wrong", sorted(WRONG.glob("*/*")))] * 2 + [("right", sorted(RIGHT.iterdir()))]
    draw = random.Random(seed)
    for _ in range(count):
        kind, files = draw.choice(kinds)
        suffix = ".cpp" if draw.random() < IN_CPP else ".py"
        path = draw.choice([file for file in files if file.suffix == suffix])
        yield kind, path, examine.submission(path) if kind == "hostile" else path.read_bytes()


def holds(pid):
    """Megabytes, open files and children of the grader now."""
    with open(f"/proc/{pid}/status") as status:
        memory = next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), 0) / 1024
    with open(f"/proc/{pid}/task/{pid}/children") as children:
        return memory, len(os.listdir(f"/proc/{pid}/fd")), len(children.read().split())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--submissions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    examine.ctypes.CDLL(None).prctl(examine.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    faults, before = [], examine.left_in_shared_places()
    with examine.scratch_folder() as scratch:
        os.chmod(scratch, 0o755)
        tmp = pathlib.Path(scratch) / "tmp"
        tmp.mkdir()
        tmp.chmod(0o1777)
        chosen = list(corpus(arguments.submissions, arguments.seed))
        files = []
        for number, (kind, path, text) in enumerate(chosen):
            file = pathlib.Path(scratch) / "files" / str(number) / path.name
            file.parent.mkdir(parents=True)
            file.write_bytes(text)
            files.append(str(file))
        started, seen, held = time.monotonic(), 0, []
        grader = subprocess.Popen([arguments.program, "grade", "--jobs", "1", "--cases", str(CASES), "--format", "json", *files],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp)}, text=True)
        for line in grader.stdout:
            report, (kind, path, _) = json.loads(line), chosen[seen]
            earned = (report["score"] or {}).get("earned", 0)
            if kind == "right" and earned != 100 or kind == "hostile" and (report["outcome"] == "passed" or earned >= 50):
                faults.append(f"{kind} {path.name}: {report['outcome']}, {earned} points")
            seen += 1
            if seen % STEP == 0:
                held.append(holds(grader.pid))
                print("{:5} submissions, {:6.0f} s: {:.0f} MB, {} open files, {} children".format(seen, time.monotonic() - started, *held[-1]),
                      flush=True)
        status = grader.wait()
        if seen != len(chosen) or status != 1:
            faults.append(f"exit status {status} after {seen} reports: {grader.stderr.read()[-500:]}")
        if held and (held[-1][0] > held[0][0] + GROWTH_MB or held[-1][1] > held[0][1] + 8 or held[-1][2] > held[0][2] + 4):
            faults.append(f"it holds on to something: {held[0]} in the beginning, {held[-1]} in the end")
        faults += [f"left: {name}" for name in examine.entries(tmp)]
    faults += [f"left: process {name}" for name in examine.remains()]
    faults += [f"left: {name}" for name in sorted(examine.left_in_shared_places() - before)]
    print(*faults, sep="\n")
    print(f"{seen} submissions, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
