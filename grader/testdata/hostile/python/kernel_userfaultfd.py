# Handles its own page faults, by which the kernel can be held up in the middle of a copy.
import ctypes

USERFAULTFD, USER_MODE_ONLY = 323, 1


def attack():
    return ctypes.CDLL(None).syscall(USERFAULTFD, USER_MODE_ONLY) >= 0
