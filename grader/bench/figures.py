"""Every figure that is asked for, one function each: what is measured against what, and how."""

import math
import os
import re
import shutil
import statistics
import tempfile
from pathlib import Path

from measure import (Figure, Unmeasured, in_turn, json_of, median, median_ratio, output_of, peak_memory_mb, seconds_of,
                     with_openblas)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PYTHON = "/usr/bin/python3"  # Debian's, to which its packages belong; the grader takes the same
SOLUTIONS = {"multi-head": ("05-multi-head", "causal_multi_head_attention"),
             "causal-attention": ("04-causal-attention", "causal_attention")}
WRONG = ROOT / "grader" / "testdata" / "natural" / "python"  # one bug each, as learners write them
SEEDS = "weights/rows-sum-to-one,weights/upper-triangle-zero,causality/truncation-invariance"

CRASHES = """import os


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    os.abort()
"""


class Bench:
    """Where the programs are, and how often to measure: once and small if `quick`."""

    def __init__(self, build, quick):
        self.quick = quick
        self.attest = build / "grader" / "attest"
        self.grader = build / "grader" / "grader_bench"
        self.engine = build / "properties" / "engine_bench"
        self.attention = build / "reference" / "attention_bench"
        self.folder = Path(tempfile.mkdtemp(prefix="attest-bench-"))
        self.saved = 0

    def close(self):
        shutil.rmtree(self.folder)

    def times(self, n):
        return 1 if self.quick else n

    def solution(self, exercise, suffix=".py"):
        return ROOT / "exercises" / SOLUTIONS[exercise][0] / f"solution{suffix}"

    def save(self, name, text):
        """A file as an editor leaves it: with a text that nothing has seen before."""
        self.saved += 1
        comment = "//" if name.endswith(".cpp") else "#"
        path = self.folder / name
        path.write_text(f"{text}{comment} {os.getpid()}.{self.saved}\n")
        return path

    def google(self, program, pattern, repetitions=1):
        """Google Benchmark's results: a list for each name, with all repetitions."""
        found = json_of([program, "--benchmark_format=json", f"--benchmark_filter={pattern}",
                         f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={0.01 if self.quick else 0.2}",
                         "--benchmark_enable_random_interleaving=true"])
        runs = {}
        for run in found["benchmarks"]:
            if run["run_type"] == "iteration":
                runs.setdefault(run["run_name"], []).append(run)
        return runs


def middle(runs, field):
    return median([run[field] for run in runs])


NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


# ---- Python --------------------------------------------------------------------------------------------------------------------


def python_saved_to_verdict(bench):
    """`attest grade FILE`, the whole process at the default plan, beside an interpreter that only imports NumPy."""
    for exercise in SOLUTIONS:
        text = bench.solution(exercise).read_text()
        grades, imports = in_turn(bench.times(7), lambda: seconds_of([bench.attest, "grade", bench.save("mine.py", text)]),
                                  lambda: seconds_of([PYTHON, "-c", "import numpy"]))
        yield Figure(f"Python, saved to verdict, {exercise}", median(grades), "s", bound=1,
                     note=f"`import numpy` alone takes {median(imports):.2f} s")
    texts = [file.read_text() for file in sorted(WRONG.glob("*.py"))[:: 30 if bench.quick else 3]]
    grades = sorted(seconds_of([bench.attest, "grade", bench.save("mine.py", text)], may_fail=True) for text in texts)
    yield Figure("Python, saved to verdict, wrong files", median(grades), "s", bound=1,
                 note=f"{len(grades)} files, each once; nine of ten within {grades[len(grades) * 9 // 10]:.2f} s")


def python_rate(bench):
    """The examination (the worker is running, the file is loaded), against a loop over the very calls that it makes, all arrays
    being there already. The same calls on both sides, so the ratio of rates is that of the times."""
    for exercise, (_, entry) in SOLUTIONS.items():
        file = bench.solution(exercise)
        calls = bench.folder / "calls"
        output_of([bench.grader, "record", file, exercise, calls])
        ours, bare = in_turn(bench.times(7), lambda: json_of([bench.grader, "examine", file, exercise]),
                             lambda: json_of([PYTHON, HERE / "bare_loop.py", file, entry, calls]))
        assert ours[0]["calls"] == bare[0]["calls"]
        n, cases = bare[0]["calls"], ours[0]["cases"]
        ours, bare = [run["examine"] for run in ours], [run["seconds"] for run in bare]
        yield Figure(f"Python, calls/s, {exercise}", n / median(ours), "calls/s", "bare loop", n / median(bare),
                     median_ratio(bare, ours), 0.8, at_most=False,
                     note=f"{cases / median(ours):.0f} cases/s, {n} calls for {cases} cases")


def hypothesis(bench):
    """Three properties, 200 cases each, the same implementation, one worker. Hypothesis draws either a seed or every number:
    the faster of the two is the peer. Cases per second, first of the running program, then with its start and imports."""
    file, examples = bench.solution("multi-head"), 20 if bench.quick else 200
    peers = {variant: [PYTHON, HERE / "hypothesis_peer.py", file, variant, examples] for variant in ("seed", "arrays")}
    examine = [bench.grader, "examine", file, "multi-head", SEEDS]
    ours, *drawn = in_turn(bench.times(5), lambda: (json_of(examine), seconds_of(examine)),
                           *[lambda argv=argv: (json_of(argv), seconds_of(argv)) for argv in peers.values()])
    running = [run["cases"] / run["examine"] for run, _ in ours]
    started = [run["cases"] / whole for run, whole in ours]
    running_peers = {variant: [run["cases"] / run["seconds"] for run, _ in runs] for variant, runs in zip(peers, drawn)}
    started_peers = {variant: [run["cases"] / whole for run, whole in runs] for variant, runs in zip(peers, drawn)}
    fastest = max(running_peers, key=lambda variant: median(running_peers[variant]))
    yield Figure("seed properties", median(running), "cases/s", f"Hypothesis ({fastest})", median(running_peers[fastest]),
                 median_ratio(running, running_peers[fastest]), 10, at_most=False,
                 details={variant: median(rates) for variant, rates in running_peers.items()})
    yield Figure("seed properties, with the start", median(started), "cases/s", f"Hypothesis ({fastest})",
                 median(started_peers[fastest]), median_ratio(started, started_peers[fastest]))


def restart(bench):
    """A file that ends its process in every call: one call each time, with the fork, the loading of the file and the crash."""
    file = bench.save("crashes.py", CRASHES)
    argv = [bench.grader, "crash", file, "multi-head", 10 if bench.quick else 50]
    milliseconds = [1000 * seconds for _ in range(bench.times(3)) for seconds in json_of(argv)["restarts"]]
    yield Figure("Python, restart after a crash", median(milliseconds), "ms", bound=20,
                 details={"90 %": statistics.quantiles(milliseconds, n=10)[-1]})


# ---- C++ -----------------------------------------------------------------------------------------------------------------------


def bare_command(compiler, file, out):
    """The compiler with the flags that the grader uses, without its precompiled header, kernels and linker: what anybody has."""
    flags = compiler["flags"][:-2]  # the last two bring the precompiled header in
    own = next((i for i, flag in enumerate(flags) if flag == "-isystem" and flags[i + 1].endswith("/eigen")), None)
    if own is not None:  # the copy of Eigen whose assertions say what did not fit
        del flags[own:own + 2]
    return [compiler["compiler"], *flags, "-c", file, "-o", out]


def cpp_saved_to_verdict(bench):
    for name in ("clang++", "g++"):
        path = shutil.which(name)
        if path is None:
            raise Unmeasured(f"{name} is not installed")
        environment = {**os.environ, "ATTEST_CXX": path}
        compiler = json_of([bench.grader, "compiler"], environment)  # builds the parts, if they are not there yet
        text = bench.solution("multi-head", ".cpp").read_text()

        def grade():
            return seconds_of([bench.attest, "grade", bench.folder / "mine.cpp"], environment)

        def new_grade():
            bench.save("mine.cpp", text)
            return grade()

        def bare_compile():
            return seconds_of(bare_command(compiler, bench.save("bare.cpp", text), bench.folder / "bare.o"))

        bare, ours, again = in_turn(bench.times(5), bare_compile, new_grade, grade)
        # Asked for is 1.3 times the bare compilation and 0.3 s: the share of that is the ratio that is judged.
        share = statistics.median(mine / (1.3 * other + 0.3) for mine, other in zip(ours, bare))
        yield Figure(f"C++, saved to verdict, {name}", median(ours), "s", "1.3 × bare compile + 0.3 s", 1.3 * median(bare) + 0.3,
                     share, 1, note=f"bare compile {median(bare):.2f} s")
        yield Figure(f"C++, the same file again, {name}", median(again), "s", "first time", median(ours), median_ratio(again, ours))


# ---- the engine ----------------------------------------------------------------------------------------------------------------


def engine(bench):
    """In process, no submission: properties/engine_bench.cpp."""
    runs = bench.google(bench.engine, "^engine/", bench.times(5))

    def part(name, field="per_case"):
        return middle(runs[f"engine/{name}/manual_time"], field)

    yield Figure("engine, a small case", 1e6 * part("whole"), "µs", bound=2,
                 note=f"generate {1e6 * part('generate'):.2f}, check {1e6 * part('check'):.2f} µs, of which "
                      f"{1e6 * part('check_remembered'):.2f} with the answer known")
    yield Figure("engine, allocations a case", part("whole", "allocations"), "",
                 note=f"generate {part('generate', 'allocations'):.0f}, check {part('check', 'allocations'):.0f}")


def oracle_costs(bench):
    """Seconds of one right answer with its bounds, by (T, d_model)."""
    sizes = "T:(8|16|32|64|128)/" if bench.quick else ""
    costs = {}
    for name, runs in bench.google(bench.engine, f"^right_answer/{sizes}", bench.times(3)).items():
        n_tokens, d_model = map(int, re.search(r"T:(\d+)/d_model:(\d+)", name).groups())
        costs[n_tokens, d_model] = 1e-9 * middle(runs, "cpu_time") * NANOSECONDS[runs[0]["time_unit"]]
    return costs


def exponent(points):
    """p of y = c x^p, by least squares on the logarithms."""
    return statistics.linear_regression(*zip(*[(math.log(x), math.log(y)) for x, y in points])).slope


def growth(bench):
    """T² d: twice the tokens at most four times the cost, and once they are many, twice the features twice the cost. A tenth more
    is allowed for what a line through measured points cannot tell."""
    costs = oracle_costs(bench)
    longest = max(T for T, _ in costs)
    by_tokens = [(T, cost) for (T, d), cost in costs.items() if d == 16 and T >= longest / 8]
    by_features = [(d, cost) for (T, d), cost in costs.items() if T == longest]
    details = {f"{T} {d}": cost for (T, d), cost in sorted(costs.items())}
    yield Figure("oracle's cost, exponent of T", exponent(by_tokens), "", bound=2.1, details=details,
                 note=f"T from {longest // 8} to {longest}")
    yield Figure("oracle's cost, exponent of d_model", exponent(by_features), "", bound=1.1, note=f"T = {longest}")


def attention(bench):
    """T = 2048, d_model = 768, 12 heads, float32, one thread, against PyTorch's fastest way."""
    environment = with_openblas()
    if environment is None:
        raise Unmeasured("PyTorch needs a fast BLAS to be a peer: libopenblas0-pthread is not installed")
    tokens = 256 if bench.quick else 2048

    def ours():
        runs = bench.google(bench.attention, f"^fast_causal_attention/{tokens}/")[f"fast_causal_attention/{tokens}/real_time"]
        return middle(runs, "real_time") * NANOSECONDS[runs[0]["time_unit"]] / 1e6

    def torch():
        return json_of([PYTHON, HERE / "torch_peer.py", tokens, bench.times(5)], environment)["milliseconds"]

    own, others = in_turn(bench.times(3), ours, torch)
    modes = {mode: median([run[mode] for run in others]) for mode in others[0]}
    fastest = min(modes, key=modes.get)
    yield Figure(f"attention, T = {tokens}", median(own), "ms", f"PyTorch ({fastest})", modes[fastest],
                 median_ratio([run[fastest] for run in others], own), 1.25, at_most=False, details=modes)


# ---- isolation -----------------------------------------------------------------------------------------------------------------


def isolation(bench):
    """The walls around a submission against none: a whole grade of a right file, and its calls once it runs."""
    cpp = bench.save("mine.cpp", bench.solution("multi-head", ".cpp").read_text())
    for language, file in (("Python", bench.solution("multi-head")), ("C++", cpp)):
        def grade(level, file=file):
            return seconds_of([bench.attest, "grade", "--isolation", level, file])

        grade("strict")  # C++ is compiled here
        strict, none = in_turn(bench.times(9), lambda: grade("strict"), lambda: grade("none"))
        yield Figure(f"walls, a whole grade, {language}", 1000 * (median(strict) - median(none)), "ms", bound=60,
                     note=f"{median(strict):.3f} s with, {median(none):.3f} s without")
        walled, bare = in_turn(bench.times(7), lambda: json_of([bench.grader, "examine", file, "multi-head"]),
                               lambda: json_of([bench.grader, "unwalled", file, "multi-head"]))
        n = walled[0]["calls"]
        walled, bare = [run["examine"] for run in walled], [run["examine"] for run in bare]
        yield Figure(f"walls, a call, {language}", 1e6 * median(walled) / n, "µs", "without", 1e6 * median(bare) / n,
                     median_ratio(walled, bare), 1.5)


# ---- naming the bug ------------------------------------------------------------------------------------------------------------


def diagnosis(bench):
    """What a failing grade waits for the name of its bug: wrong files as learners write them, each once."""
    files = sorted(WRONG.glob("*.py"))[:: 20 if bench.quick else 1]
    found = [json_of([bench.grader, "diagnose", file, "multi-head"]) for file in files]
    seconds = sorted(run["diagnose"] for run in found)
    yield Figure("naming the bug of a wrong file", median(seconds), "s", bound=0.5,
                 note=f"{len(files)} files, {sum(run['named'] for run in found)} named; nine of ten within {seconds[len(seconds) * 9 // 10]:.2f} s")


# ---- memory --------------------------------------------------------------------------------------------------------------------


def memory(bench):
    """The grader's own process over a whole grade: a file that is right, one whose failures are shrunk, one that is compiled."""
    cpp = bench.save("mine.cpp", bench.solution("multi-head", ".cpp").read_text())
    wrong = ROOT / "grader" / "testdata" / "wrong"
    files = {"right": bench.solution("multi-head"), "wrong": wrong / "mask-after-softmax.py",
             "wrong in many ways": wrong / "softmax-over-queries.py", "C++": cpp}
    peaks = {name: max(peak_memory_mb([bench.attest, "grade", file]) for _ in range(bench.times(3)))
             for name, file in files.items()}
    yield Figure("memory of a whole grade", max(peaks.values()), "MB", bound=150, details=peaks,
                 note=", ".join(f"{name} {peak:.0f}" for name, peak in peaks.items()))


ALL = (python_saved_to_verdict, python_rate, hypothesis, restart, cpp_saved_to_verdict, engine, growth, attention, isolation, diagnosis, memory)
