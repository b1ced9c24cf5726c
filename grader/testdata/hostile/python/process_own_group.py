# Kills its own process group. Would gain: the grader's end, if that were in the same one.
import os
import signal


def attack():
    os.killpg(0, signal.SIGKILL)
