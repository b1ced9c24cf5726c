# Lies about how many answers lie in the shared memory, and ends. Would gain: a grader that reads beyond it, or takes the lies for answers.
import mmap
import os
import struct


def attack():
    area = mmap.mmap(4, os.fstat(4).st_size)
    area[:16] = struct.pack("=2Q", 2**63, 2**64 - 1)
    os._exit(0)
