# Sleeps. Would gain: a grader that waits for ever, since no processor time is used.
import time


def attack():
    time.sleep(1e6)
