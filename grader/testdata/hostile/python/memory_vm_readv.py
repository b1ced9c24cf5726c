# The same by a system call that needs no file.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


class IoVec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def attack():
    room = ctypes.create_string_buffer(8)
    here, there = IoVec(ctypes.addressof(room), 8), IoVec(id(None), 8)
    got = libc.process_vm_readv(os.getppid(), ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    print("refused:", os.strerror(ctypes.get_errno()))
    return got == 8
