# Leaves a key in the kernel's ring, which outlives the process.
import ctypes

ADD_KEY, USER_KEYRING = 248, -4


def attack():
    return ctypes.CDLL(None).syscall(ADD_KEY, b"user", b"hostile", b"x", 1, USER_KEYRING) >= 0
