# Leaves its group for its parent's. Would gain: who kills the group misses it.
import os


def attack():
    os.setpgid(0, os.getpgid(os.getppid()))
    return True
