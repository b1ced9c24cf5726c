# Counts events of the processor, by which the memory of others can be guessed.
import ctypes
import struct

PERF_EVENT_OPEN, SOFTWARE = 298, 1


def attack():
    attributes = struct.pack("=2I", SOFTWARE, 112) + bytes(104)
    return ctypes.CDLL(None).syscall(PERF_EVENT_OPEN, attributes, 0, -1, -1, 0) >= 0
