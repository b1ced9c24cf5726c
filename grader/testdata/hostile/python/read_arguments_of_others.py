# Reads the command lines of other processes. Would gain: the seed, and the names of the files that are graded.
import os


def attack():
    for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if b"\0grade\0" in file.read():
                    return True
        except OSError:
            pass
    return False
