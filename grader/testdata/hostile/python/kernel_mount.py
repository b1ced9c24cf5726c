# Mounts a file system over its own folder, in a mount namespace of its own if need be.
import ctypes

CLONE_NEWNS = 0x00020000


def attack():
    libc = ctypes.CDLL(None)
    libc.unshare(CLONE_NEWNS)
    return libc.mount(b"none", b".", b"tmpfs", 0, None) == 0
