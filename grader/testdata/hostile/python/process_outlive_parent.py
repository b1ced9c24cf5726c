# Asks not to be killed when its parent dies. Would gain: somebody who goes on running when the grader is interrupted.
import ctypes

PR_SET_PDEATHSIG = 1


def attack():
    return ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0) == 0
