# A message queue of POSIX, which outlives every process.
import ctypes

O_RDWR, O_CREAT = 2, 0o100


def attack():
    return ctypes.CDLL(None).mq_open(b"/hostile-left", O_RDWR | O_CREAT, 0o600, None) >= 0
