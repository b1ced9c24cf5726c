# Switches the randomisation of addresses off for whatever it executes.
import ctypes

ADDR_NO_RANDOMIZE = 0x0040000


def attack():
    libc = ctypes.CDLL(None)
    return libc.personality(ADDR_NO_RANDOMIZE) >= 0 and libc.personality(0xffffffff) & ADDR_NO_RANDOMIZE != 0
