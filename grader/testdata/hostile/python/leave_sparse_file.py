# One file that looks like a terabyte.
import os


def attack():
    os.truncate(os.open("sparse", os.O_RDWR | os.O_CREAT), 1 << 40)
    return True
