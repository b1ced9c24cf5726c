# Floods it with well-formed messages, each of the largest size that is allowed.
import os
import struct


def attack():
    while True:
        os.write(6, struct.pack("=5Q", 0x0003545345545441, 4, 0, 64 << 20, 1))
        for _ in range(1 << 10):
            os.write(6, bytes(65536))
