# io_uring: system calls that no filter of system calls sees.
import ctypes

SETUP = 425


def attack():
    return ctypes.CDLL(None).syscall(SETUP, 4, ctypes.create_string_buffer(120)) >= 0
