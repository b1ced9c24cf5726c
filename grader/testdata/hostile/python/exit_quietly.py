# Leaves with status 0 once it has printed what it wants to be told. Would gain: "no error" taken for "passed".
import os


def attack():
    print("100 / 100", flush=True)
    os._exit(0)
