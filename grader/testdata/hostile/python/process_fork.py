# A hundred processes in sessions of their own (a bomb that goes off without blowing up the machine). Would gain: a machine that does
# nothing else, and somebody who goes on running after the verdict.
import os
import time


def attack():
    for _ in range(100):
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
            os._exit(0)
    return True
