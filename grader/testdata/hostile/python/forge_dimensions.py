# An answer whose array claims 2^40 rows. Would gain: a grader that runs out of memory.
import os
import struct
import sys


def attack():
    frame = sys._getframe()
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    answer = struct.pack("=11q", 152, 0, 0, 1, 0, 0, 0, 0, 0, 6, 0) + struct.pack("=8q", 1, 2, 2**43, 2**40, 1, 0, 0, 0)
    os.write(6, struct.pack("=5Q", 0x0003545345545441, 4, frame.f_locals["nonce"], len(answer), 1) + answer)
