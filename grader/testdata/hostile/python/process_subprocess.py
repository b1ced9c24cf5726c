# Runs another program. Would gain: all that programs can do.
import subprocess


def attack():
    return subprocess.run(["/bin/true"]).returncode == 0
