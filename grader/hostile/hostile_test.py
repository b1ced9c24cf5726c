"""The hostile corpus, behind all walls: none is accepted, nothing and nobody is left behind, the grader survives, each has the outcome that
testdata/hostile/expected.toml gives it, and the next submission is graded as if it were alone.

    hostile_test.py PROGRAM [--all] [--only PART OF A NAME] [--jobs N]

Without --all one case each, and only those that are not marked `soak`: these wait for a clock, fill a memory, or take a compiler's time for
what a Python file tries too. Skipped (77) where not all walls stand.
"""

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
import tomllib

import examine

SKIPPED = 77


def refusal(program):
    """What attest says where it cannot put up all walls, or nothing."""
    asked = subprocess.run([program, "grade", "--isolation", "strict", examine.EXERCISE / "solution.py"], capture_output=True, text=True, check=False)
    return asked.stderr if asked.returncode == 2 else ""


def faults_of(job):
    """What is wrong with what became of one file, as text; and how long it took."""
    program, row, cases = job
    environment = (("ATTEST_CXX", row["compiler"]),) if "compiler" in row else ()
    started = time.monotonic()
    result = examine.examine(program, examine.CORPUS / row["file"], (*cases, "--isolation", "strict"), environment)
    faults = list(result["faults"])
    if result["outcome"] not in row["outcome"]:
        faults.append(f"outcome {result['outcome']} ({result['message']}), not {' or '.join(row['outcome'])}; it printed: {result['output'][-300:]}")
    if result["outcome"] == "passed" or (result["earned"] or 0) >= 50:
        faults.append(f"accepted: {result['outcome']}, {result['earned']} points")
    return row["file"], faults, time.monotonic() - started


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    with open(examine.CORPUS / "expected.toml", "rb") as file:
        rows = tomllib.load(file)["submission"]
    listed = sorted(row["file"] for row in rows)
    there = sorted(f"{path.parent.name}/{path.name}" for path in examine.CORPUS.glob("*/*"))
    if listed != there:
        sys.exit(f"expected.toml and the folders differ: {sorted(set(listed) ^ set(there))}")
    if why := refusal(arguments.program):
        print(why)
        return SKIPPED
    rows = [row for row in rows if arguments.only in row["file"] and (arguments.all or not row.get("soak"))
            and ("compiler" not in row or shutil.which(row["compiler"]))]
    failed, started = 0, time.monotonic()
    with multiprocessing.Pool(arguments.jobs) as pool:
        jobs = [(arguments.program, row, examine.CASES if arguments.all else examine.ONE_CASE) for row in rows]
        for name, faults, seconds in pool.imap(faults_of, jobs):
            if faults or seconds > 20:
                print(f"{name} ({seconds:.1f} s)", *faults, sep="\n  ", flush=True)
            failed += bool(faults)
    print(f"{len(rows) - failed} of {len(rows)} hostile files are as they should be, in {time.monotonic() - started:.0f} s")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
