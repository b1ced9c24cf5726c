# Says "done" before there was a question. Would gain: being judged on answers that were prepared in advance.
import os
import struct

os.write(6, struct.pack("=5Q", 0x0003545345545441, 5, 0, 0, 0))


def attack():
    return False
