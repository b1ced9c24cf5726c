# Takes root's number back. Would gain: everything that belongs to root, where the grader runs as root.
import os


def attack():
    os.setresuid(0, 0, 0)
    return os.geteuid() == 0
