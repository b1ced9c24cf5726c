"""Grades one hostile file, then a right one in the same run, and looks at what is left: processes, files, the right one's report.

    examine.py PROGRAM FILE [OPTION OF attest grade ...]      one case, and no file after it; prints one JSON object

A file that defines attack() is put into testdata/hostile/frame.py or .cpp: the answer is then right if the attack worked and zeros
if not, so that points tell. Weakened modes are for walls.py only, which gives each file a machine of its own.
"""

import contextlib
import ctypes
import functools
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CORPUS = ROOT / "grader" / "testdata" / "hostile"
EXERCISE = ROOT / "exercises" / "05-multi-head"
ENTRY = b"causal_multi_head_attention("
SHARED = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/"]
MARK = "hostile"  # what the corpus calls whatever it leaves in a place that others use, too
KEY = 0x686f7374  # and in System V's tables
CASES = ("--cases", "12")  # of each property, the fewest
ONE_CASE = ("--case", "a1:multi-head:float64:T.3:d_head.2:n_heads.2:gaussian:s.17d1579577813f0f")
OPEN_FILES = 1024  # what a shell gives by default
OUT_OF_TIME_S = 400
PR_SET_CHILD_SUBREAPER = 36


def submission(path):
    text = path.read_bytes()
    return text if ENTRY in text else text + (CORPUS / ("frame" + path.suffix)).read_bytes()


def entries(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def left_in_shared_places():
    """What the corpus leaves has a name that gives it away. In a machine of our own everything counts."""
    found = {os.path.join(folder, name) for folder in SHARED for name in entries(folder) if os.getpid() == 1 or MARK in name}
    for kind in ("shm", "sem", "msg"):
        with open(f"/proc/sysvipc/{kind}") as table:
            found |= {f"System V {kind}" for line in table if line.split()[0] == str(KEY)}
    if ctypes.CDLL(None).mq_unlink(b"/hostile-left") == 0:
        found.add("a message queue")
    return found


def remains():
    """Ends all children of this process, to which the kernel gives every orphan below it, and says what they are called."""
    found, until = [], time.monotonic() + 2
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
        except ChildProcessError:
            return found
        time.sleep(0.02)
        if time.monotonic() < until:  # who has been killed needs a moment
            continue
        with open(f"/proc/self/task/{os.getpid()}/children") as children:
            for pid in children.read().split():
                with open(f"/proc/{pid}/comm") as name:
                    found.append(name.read().strip())
                os.kill(int(pid), 9)


def limit():
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))


@contextlib.contextmanager
def scratch_folder():
    """A new folder, which is removed whatever has been made of it."""
    path = tempfile.mkdtemp(prefix="attest-examine-")
    try:
        yield path
    finally:
        for command in (["chattr", "-R", "-i"], ["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, path], stderr=subprocess.DEVNULL, check=False)


def grade(program, files, options, environment=()):
    """(reports, the report as text, JSON and HTML, exit status, what is left in its folders) of one run; a status of None: it did not end."""
    with scratch_folder() as scratch:
        os.chmod(scratch, 0o755)
        tmp, home, cwd, out = folders = [pathlib.Path(scratch) / name for name in ("tmp", "home", "cwd", "out")]
        for folder in folders:
            folder.mkdir()
            folder.chmod(0o1777)  # as /tmp is
        (tmp / "canary").write_text("alive")
        (tmp / "canary").chmod(0o644)
        cache = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
        try:
            finished = subprocess.run(
                [program, "grade", *files, "--jobs", "1", "--format", "text", "--format", f"json={out}/json", "--format", f"html={out}/html",
                 *options],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd, timeout=OUT_OF_TIME_S, preexec_fn=limit,
                env={"PATH": os.environ["PATH"], "XDG_CACHE_HOME": cache, "TMPDIR": str(tmp), "HOME": str(home),
                     "ATTEST_HOSTILE_CANARY": "1", **dict(environment)})
            status, text = finished.returncode, finished.stdout
        except subprocess.TimeoutExpired:
            status, text = None, b""
        json_text, html = [(out / name).read_bytes() if (out / name).exists() else b"" for name in ("json", "html")]
        texts = [some.decode("utf-8", "backslashreplace") for some in (text, json_text, html)]
        reports = []
        for line in texts[1].splitlines():
            try:
                reports.append(json.loads(line))
            except ValueError:
                reports.append({})
        left = [f"{folder.name}/{name}" for folder in (tmp, home, cwd) for name in entries(folder) if name != "canary"]
        if not os.access(tmp / "canary", os.R_OK) or (tmp / "canary").stat().st_mode & 0o777 != 0o644:
            left.append("no canary: what lies beside its folder was removed or changed, too")
        return reports, texts, status, left


def comparable(report):
    """Without its time, and the path that it has among several."""
    return {**report, "wall_ms": None, "submission": {**report.get("submission", {}), "id": None}}


@functools.cache
def alone(program, right, options, environment):
    """The right file's report in a run of its own."""
    reports = grade(program, [right], options, environment)[0]
    return comparable(reports[0]) if reports else None


def unsafe(texts):
    """What must be in no report, whatever a submission says."""
    text, json_text, html = texts
    found = [f"U+{ord(c):04X} in {kind}" for kind, body in (("text", text), ("JSON", json_text), ("HTML", html))
             for c in sorted(set(body)) if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160]
    found += [f"{mark} in the HTML" for mark in ("<script>document.title", "<script>alert", "<img src=x") if mark in html]
    if any("root:x:0:0" in body for body in texts):
        found.append("a line of /etc/passwd")
    if len(json_text) > 2 << 20:
        found.append("a report of more than 2 MB")
    return found


def examine(program, path, options, environment=(), followed=True):
    """What became of the file: a dictionary of plain values. `faults` is empty where all is as it should be, whatever the outcome."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    right = [str(EXERCISE / ("solution" + path.suffix))] if followed else []
    expected = alone(program, right[0], options, environment) if followed else None
    with scratch_folder() as folder:
        file = pathlib.Path(folder) / path.name
        file.write_bytes(submission(path))
        before, started = left_in_shared_places(), time.monotonic()
        reports, texts, status, left = grade(program, [str(file), *right], options, environment)
        seconds = time.monotonic() - started
        left += ["process " + name for name in remains()] + sorted(left_in_shared_places() - before)
        faults = [] if file.read_bytes() == submission(path) else ["the file itself was changed"]
    if status is None or status < 0:
        faults.append("the grader did not come back" if status is None else "the grader did not survive")
    elif status > 1 or len(reports) != 1 + len(right):
        faults.append(f"exit status {status}, {len(reports)} reports: {texts[0][-300:]}")
    elif followed and comparable(reports[1]) != expected:
        faults.append("the next submission was not graded as if it were alone")
    faults += unsafe(texts) + ["left: " + what for what in left]
    first = reports[0] if reports else {}
    return {"file": f"{path.parent.name}/{path.name}", "outcome": first.get("outcome"), "earned": (first.get("score") or {}).get("earned"),
            "faults": faults, "seconds": round(seconds, 1), "message": (first.get("error") or {}).get("message"),
            "output": first.get("output_tail", "")}


def got_through(result):
    """Did the attack bring anything?"""
    return result["outcome"] == "passed" or (result["earned"] or 0) >= 50 or bool(result["faults"])


if __name__ == "__main__":
    print(json.dumps(examine(sys.argv[1], pathlib.Path(sys.argv[2]), (*ONE_CASE, *sys.argv[3:]), followed=False)))
