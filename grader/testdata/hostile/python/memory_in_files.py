# Takes memory as files that have no name, which the limit on address space does not count.
import os


def attack():
    kept = []
    while len(kept) < 40:
        kept.append(os.memfd_create("hostile"))
        for _ in range(15):
            os.write(kept[-1], bytes(1 << 20))
    return True
