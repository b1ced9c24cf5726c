# Makes a file that even root cannot remove. Would gain: a file that stays.
import fcntl
import os
import struct

FS_IOC_GETFLAGS, FS_IOC_SETFLAGS, FS_IMMUTABLE_FL = 0x80086601, 0x40086602, 0x10


def attack():
    with open("stone", "w") as file:
        flags = struct.unpack("=l", fcntl.ioctl(file, FS_IOC_GETFLAGS, bytes(4)))[0]
        fcntl.ioctl(file, FS_IOC_SETFLAGS, struct.pack("=l", flags | FS_IMMUTABLE_FL))
    return True
