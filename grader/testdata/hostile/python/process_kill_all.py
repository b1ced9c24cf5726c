# Kills everything that it may.
import os
import signal
import time


def attack():
    parent = os.getppid()
    os.kill(-1, signal.SIGKILL)
    time.sleep(0.1)
    return os.getppid() != parent
