# Loads a map for programs in the kernel.
import ctypes
import struct

BPF, MAP_CREATE, ARRAY = 321, 0, 2


def attack():
    return ctypes.CDLL(None).syscall(BPF, MAP_CREATE, struct.pack("=4I", ARRAY, 4, 8, 1) + bytes(112), 128) >= 0
