"""`./attest bench`: measures what the project promises about speed, beside the floor or the peer that each promise names.

Each figure is measured several times, in turn with what it is compared with, and the whole is done twice: a ratio that differs by
more than 15 % between the two is marked. Prints a table, and writes it with the machine and all details; README quotes it. The exit
status says whether everything could be measured, not whether it is fast enough: that depends on what else the machine does.
"""

import argparse
import dataclasses
import datetime
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import cost_plot
import figures
from measure import ENVIRONMENT, Figure, Unmeasured


def first_line(argv):
    try:
        return subprocess.run(argv, capture_output=True, text=True, env=ENVIRONMENT).stdout.split("\n")[0]
    except OSError:
        return "not installed"


def of_python(expression, module):
    return first_line([figures.PYTHON, "-c", f"import {module}; print({expression})"]) or "not installed"


def load_average():
    return " ".join(f"{load:.2f}" for load in os.getloadavg())


def machine():
    with open("/proc/cpuinfo") as info:
        cpu = next((line.split(": ", 1)[1].strip() for line in info if line.startswith("model name")), platform.machine())
    blas = "next(iter(l.split()[-1] for l in open('/proc/self/maps') if 'blas' in l), '')"
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="minutes"),
        "cpu": cpu,
        "cores": os.cpu_count(),
        "load average": load_average(),
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", platform.system()),
        "g++": first_line(["g++", "--version"]),
        "clang++": first_line(["clang++", "--version"]),
        "mold": first_line(["mold", "--version"]),
        "Python": of_python("platform.python_version()", "platform"),
        "NumPy": of_python("numpy.__version__", "numpy"),
        "BLAS of NumPy": of_python(blas, "numpy"),
        "Hypothesis": of_python("hypothesis.__version__", "hypothesis"),
        "PyTorch": of_python("torch.__version__", "torch"),
    }


def measure(bench, only):
    """All figures of one run; what could not be measured says why."""
    found, missing = [], []
    for function in figures.ALL:
        if only and function.__name__ not in only:
            continue
        try:
            for figure in function(bench):
                print(f"  {figure.name}: {number(figure.measured)} {figure.unit}", file=sys.stderr, flush=True)
                found.append(figure)
        except Unmeasured as reason:
            print(f"  {function.__name__}: not measured, {reason}", file=sys.stderr, flush=True)
            missing.append((function.__name__, str(reason)))
    return found, missing


def number(value):
    if value is None:
        return ""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def asked(figure):
    if figure.bound is None:
        return ""
    unit = figure.unit if figure.ratio is None else ""
    return f"{'≤' if figure.at_most else '≥'} {number(figure.bound)} {unit}".strip()


def row(runs):
    """One figure's line, from its value in each run."""
    last: Figure = runs[-1]
    values = [figure.judged for figure in runs]
    spread = max(values) / min(values) - 1 if min(values) > 0 else 0
    ratios = " / ".join(number(figure.ratio) for figure in runs if figure.ratio is not None)
    met = {None: "", True: "yes", False: "no"}[None if last.met is None else all(figure.met for figure in runs)]
    notes = [last.note] * bool(last.note) + [f"the runs differ by {spread:.0%}"] * (spread > 0.15)
    return [last.name, f"{' / '.join(number(figure.measured) for figure in runs)} {last.unit}".strip(),
            f"{last.peer}: {number(last.peer_value)} {last.unit}" if last.peer else "", ratios, asked(last), met, "; ".join(notes)]


HEAD = ["figure", "measured", "floor or peer", "ratio", "asked", "met", ""]


def as_text(rows):
    widths = [max(len(line[i]) for line in [HEAD] + rows) for i in range(len(HEAD) - 1)] + [0]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in [HEAD] + rows) + "\n"


def as_markdown(results, rows, plot):
    lines = ["# Speed, as measured", "",
             "Made by `./attest bench`. Every ratio is of figures taken in turn in the same run; where two numbers stand, they are",
             "those of two runs.", ""]
    lines += [f"- {name}: {value}" for name, value in results["machine"].items()]
    lines += ["", "| " + " | ".join(HEAD) + " |", "|" + " --- |" * len(HEAD)] + ["| " + " | ".join(line) + " |" for line in rows]
    lines += [""] + [f"- not measured: {name}, {reason}" for name, reason in results["not measured"].items()]
    if plot:
        lines += ["", "What one right answer with its bounds costs; the dashed lines grow as T² d.", "",
                  f"![cost over tokens]({plot.name})"]
    return "\n".join(lines) + "\n"


def write(path, results, rows):
    """The results, and beside them the table and the plot."""
    costs = next((figure["details"] for figure in results["runs"][-1] if figure["name"].startswith("oracle's cost")), None)
    plot = cost_plot.write(costs, path.with_name(path.stem + "-cost.svg")) if costs else None
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    path.with_suffix(".md").write_text(as_markdown(results, rows, plot))
    print(f"written: {path}")


def main():
    parser = argparse.ArgumentParser(prog="attest bench", description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)  # the launcher says it
    parser.add_argument("--quick", action="store_true", help="everything once and small: shows that it works, and no more")
    parser.add_argument("--only", action="append", choices=[function.__name__ for function in figures.ALL], help="may be repeated")
    parser.add_argument("--out", type=Path, metavar="FILE",
                        help="the results, as JSON; beside them the table as .md and the plot as -cost.svg (default: "
                             "docs/bench.json; none with --quick or --only)")
    chosen = parser.parse_args()
    if chosen.out is None and not chosen.quick and not chosen.only:
        chosen.out = figures.ROOT / "docs" / "bench.json"

    here = machine()
    bench = figures.Bench(chosen.build, chosen.quick)
    try:
        runs = []
        for k in range(1 if chosen.quick else 2):
            print(f"run {k + 1}", file=sys.stderr)
            runs.append(measure(bench, chosen.only))
    finally:
        bench.close()
    here["load average at the end"] = load_average()
    missing = runs[-1][1]
    by_name = {}
    for found, _ in runs:
        for figure in found:
            by_name.setdefault(figure.name, []).append(figure)
    rows = [row(same) for same in by_name.values()]
    print(as_text(rows), end="")

    if chosen.out:
        write(chosen.out, {"machine": here, "quick": chosen.quick, "not measured": dict(missing),
                           "runs": [[dataclasses.asdict(figure) for figure in found] for found, _ in runs]}, rows)
    return 1 if missing else 0


sys.exit(main())
