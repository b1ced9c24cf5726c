# Looks for open files that nobody meant to hand over: the socket to the grader, a rule set of the sandbox, another submission's pipe.
import os


def attack():
    given = [os.fstat(fd) for fd in range(7)]
    for fd in range(7, 1024):
        try:
            found = os.fstat(fd)
        except OSError:
            continue
        if not any(os.path.samestat(found, one) for one in given):  # a mapped file has a second descriptor
            print("open:", fd)
            return True
    return False
