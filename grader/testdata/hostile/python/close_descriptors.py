# Closes everything. Would gain: a grader that waits for ever.
import os


def attack():
    os.closerange(0, 256)
