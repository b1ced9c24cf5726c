# Announces 2^64 - 8 bytes. Would gain: an overflow where the length is added to something.
import os
import struct


def attack():
    os.write(6, struct.pack("=5Q", 0x0003545345545441, 4, 0, 2**64 - 8, 1))
