# Reads the memory of the process that it was forked from. Would gain, one process further up: expected values and seeds.
import os


def attack():
    with open(f"/proc/{os.getppid()}/mem", "rb", buffering=0) as memory:
        memory.seek(id(None))  # it was forked, so its addresses are the parent's
        return len(memory.read(8)) == 8
