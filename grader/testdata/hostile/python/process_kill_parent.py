# Kills the process that it was forked from. Would gain: no further verdicts.
import os
import signal


def attack():
    os.kill(os.getppid(), signal.SIGKILL)
    return True
