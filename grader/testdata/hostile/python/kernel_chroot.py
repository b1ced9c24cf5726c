# Makes its folder the root of all paths.
import os


def attack():
    os.chroot(".")
    return True
