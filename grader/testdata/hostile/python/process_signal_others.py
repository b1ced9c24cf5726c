# Sends a signal that does nothing to processes that started shortly before it. Would gain: whom this reaches, SIGSTOP reaches too.
import os


def attack():
    for pid in [1, *range(max(2, os.getpid() - 300), os.getpid())]:
        try:
            os.kill(pid, 0)
            return True
        except OSError:
            pass
    return False
