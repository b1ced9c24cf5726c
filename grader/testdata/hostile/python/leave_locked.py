# Folders in folders that nobody may enter. Would gain: a tree that stays.
import os


def attack():
    os.makedirs("a/b/c")
    open("a/b/c/file", "w").close()
    for folder in ("a/b/c", "a/b", "a", "."):
        os.chmod(folder, 0)
