"""Which walls stop what: runs the hostile corpus with one wall at a time, without any and with all, each file in a machine of its own, and
writes the table in docs/isolation.md.

    walls.py PROGRAM [--only PART OF A NAME] [--jobs N] [--results FILE] [--write]      as root

A machine of its own: namespaces for processes, mounts, network and IPC, memory for /tmp and its like, everything else read-only, and no
way to set the clock or to load a module. All that a file does ends with it.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import tomllib

import examine

WALLS = ["landlock", "seccomp", "user-id"]
SOMEBODY = 65533  # an ordinary user
SKIPPED = 77
DOCUMENT = examine.ROOT / "docs" / "isolation.md"
HEADING = "## Which walls stop what\n"
HIDDEN = ["/tmp", "/var/tmp", "/dev/shm", "/root"]


def without(*walls):
    return [word for wall in walls for word in ("--without-wall", wall)]


MODES = {
    "none": ["--isolation", "none"],
    **{wall: without(*[other for other in WALLS if other != wall]) for wall in WALLS},
    "all": [],
}


def machine(seen, user, command):
    """A command line that runs the command in a machine of its own, as its first process. `seen`: {path: may it be written to}."""
    lines = ["set -e", "mount --make-rprivate /", "mount -t tmpfs -o size=16m none /run", "mount -t tmpfs -o size=16m none /mnt"]
    paths = list(enumerate(seen.items()))
    lines += [f"mkdir /mnt/{i}; mount --bind {path} /mnt/{i}" for i, (path, _) in paths]
    lines += [f"mount -t tmpfs -o size=256m,mode=1777 none {folder}" for folder in HIDDEN]
    for i, (path, writable) in paths:
        if any(path.startswith(folder + "/") for folder in HIDDEN):
            lines.append(f"mkdir -p {path}")
        lines.append(f"mount --bind /mnt/{i} {path}")
        if not writable:
            lines.append(f"mount -o remount,ro,bind {path}")
        lines.append(f"umount /mnt/{i}")
    lines += ["cd /", "ip link set lo up 2> /dev/null || :", "mount -o remount,ro,bind /"]
    become = f"--reuid={user} --regid={user} --clear-groups" if user else "--bounding-set=-sys_time,-sys_boot,-sys_module,-sys_rawio"
    lines.append(f"exec setpriv {become} -- {shlex.join(map(str, command))}")
    return ["unshare", "--pid", "--mount", "--net", "--ipc", "--uts", "--fork", "--kill-child", "--mount-proc", "sh", "-c", "\n".join(lines)]


def run(program, cache, file, mode, user):
    seen = {str(examine.ROOT): False, str(pathlib.Path(program).parent): False, cache: True}
    command = ["/usr/bin/python3", "-B", examine.__file__, program, examine.CORPUS / file, *MODES[mode]]
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    finished = subprocess.run(machine(seen, user, command), stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, check=False)
    try:
        result = json.loads(finished.stdout)
    except ValueError:  # the first process was ended: that got through
        result = {"file": file, "outcome": None, "earned": None, "faults": ["nobody came back: " + finished.stderr[-300:]], "seconds": 0}
    return {**result, "mode": mode, "user": user}


def purpose(file):
    """The first sentence of the comment at the file's top."""
    words = []
    for line in (examine.CORPUS / file).read_text().splitlines():
        if not line.startswith(("#", "//")) or line.startswith("#include"):
            break
        words.append(line.lstrip("#/ "))
    return " ".join(words).split(". ")[0].rstrip(".")


def table(results):
    """The part of docs/isolation.md that is measured."""
    through = {}
    for result in results:
        through.setdefault(result["file"], {})[result["mode"], result["user"]] = examine.got_through(result)
    titles = {("none", 0): "no wall", **{(wall, 0): f"{wall} alone" for wall in WALLS}, ("all", 0): "all", ("all", SOMEBODY): "all, not root"}
    columns = [column for column in titles if all(column in row for row in through.values())]
    counts = [sum(row[column] for row in through.values()) for column in columns]
    lines = [f"| of {len(through)} files | " + " | ".join(titles[column] for column in columns) + " |", "|---" * (1 + len(columns)) + "|",
             "| get through | " + " | ".join(map(str, counts)) + " |", "",
             "| attack | what it tries | " + " | ".join(titles[column] for column in columns) + " |", "|---" * (2 + len(columns)) + "|"]
    for file, row in sorted(through.items(), key=lambda item: item[0].split("/")[::-1]):
        if any(row.values()):
            lines.append(f"| `{file}` | {purpose(file)} | " + " | ".join("through" if row[column] else "–" for column in columns) + " |")
    return "\n".join(lines) + "\n"


def surprises(results):
    """What is not as testdata/hostile/expected.toml says."""
    with open(examine.CORPUS / "expected.toml", "rb") as file:
        walls = {row["file"]: row.get("walls") for row in tomllib.load(file)["submission"]}
    for result in results:
        file, mode, through = result["file"], result["mode"], examine.got_through(result)
        if mode == "all" and through:
            yield f"{file} got through all walls: {result['faults']}"
        elif mode in WALLS and walls[file] is not None and through == (mode in walls[file]):
            yield f"{file} {'got through' if through else 'was stopped by'} {mode} alone: {result['outcome']} {result['faults']}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--results", default=os.devnull, help="one JSON object a line; what is there already is not run again")
    parser.add_argument("--write", action="store_true", help="the table into docs/isolation.md")
    arguments = parser.parse_args()
    if os.geteuid() != 0 or subprocess.run(machine({}, 0, ["true"]), capture_output=True, check=False).returncode != 0:
        print("only root can have a machine for each file, where namespaces can be had")
        return SKIPPED
    files = [f"{path.parent.name}/{path.name}" for path in sorted(examine.CORPUS.glob("*/*")) if arguments.only in str(path)]
    with open(arguments.results, "a+") as kept:
        kept.seek(0)
        done = {(one["file"], one["mode"], one["user"]): one for one in map(json.loads, kept)}
        caches = {user: tempfile.mkdtemp(prefix="attest-walls-") for user in (0, SOMEBODY)}
        for user, cache in caches.items():
            os.chown(cache, user, user)
        wanted = [(file, mode, user) for user, modes in ((0, MODES), (SOMEBODY, ["all"])) for mode in modes for file in files]
        results = []
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for result in pool.map(lambda job: done.get(job) or run(arguments.program, caches[job[2]], *job), wanted):
                results.append(result)
                if (result["file"], result["mode"], result["user"]) not in done:
                    print(json.dumps(result), file=kept, flush=True)
        subprocess.run(["rm", "-rf", *caches.values()], check=True)
    measured = table(results)
    print(measured)
    if arguments.write:
        text = DOCUMENT.read_text()
        DOCUMENT.write_text(text[:text.index(HEADING) + len(HEADING)] + "\n" + measured)
    wrong = list(surprises(results))
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
