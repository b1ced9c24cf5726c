# Lists the folder in which its own private folder lies. Would gain: the way to the other submissions that are being graded.
import os


def attack():
    return len(os.listdir(os.path.dirname(os.environ["HOME"]))) > 0
