# Looks into the environment of the grader and of everybody else. Would gain: tokens and paths.
import os


def attack():
    for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if b"ATTEST_HOSTILE_CANARY" in file.read():
                    return True
        except OSError:
            pass
    return False
