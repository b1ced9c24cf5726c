# Folders three thousand deep: no path can name the last, and who opens one for each level runs out of descriptors. Would gain: a tree that
# stays.
import os


def attack():
    home = os.getcwd()
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    open("bottom", "w").close()
    os.chdir(home)
