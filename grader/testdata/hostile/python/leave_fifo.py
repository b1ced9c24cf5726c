# Pipes with names, at which whoever opens them waits for ever.
import os


def attack():
    for name in ("source", "program", "report", "__pycache__"):
        os.mkfifo(name)
