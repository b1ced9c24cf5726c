# Becomes root of a user namespace of its own. Would gain: the parts of the kernel that only root reaches, holes included.
import ctypes

CLONE_NEWUSER = 0x10000000


def attack():
    return ctypes.CDLL(None).unshare(CLONE_NEWUSER) == 0
