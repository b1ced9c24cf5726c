# Takes the rights from what is not its own: the folder above, and a file in it. Would gain: a grader, or a person, locked out.
import os


def attack():
    above = os.path.dirname(os.environ["HOME"])
    for change in (lambda: os.chmod(above + "/canary", 0), lambda: os.utime(above + "/canary", (0, 0)), lambda: os.chmod(above, 0o777)):
        try:
            change()
            return True
        except OSError as error:
            print("refused:", error)
    return False
