# Attaches to its parent as a debugger. Would gain: full control of it.
import ctypes
import os

PTRACE_SEIZE = 0x4206


def attack():
    return ctypes.CDLL(None).ptrace(PTRACE_SEIZE, os.getppid(), None, None) == 0
