# Becomes a daemon: twice forked, a session of its own, nothing open. Would gain: somebody who goes on running after the verdict.
import os
import time


def attack():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 256)
            time.sleep(600)
        os._exit(0)
    return True
