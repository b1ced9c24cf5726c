# Sends messages that only the grader sends.
import os
import struct


def attack():
    os.write(6, struct.pack("=5Q", 0x0003545345545441, 2, 0, 0, 1))
