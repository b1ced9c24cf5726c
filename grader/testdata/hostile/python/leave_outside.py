# Writes where everybody may. Would gain: a message to the next submission, or to a later grading of the same one.
import os


def attack():
    done = False
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/", "..", "../.."):
        try:
            with open(folder + "/hostile-left", "w") as file:
                file.write("x")
            done = True
        except OSError as error:
            print("refused:", error)
    return done
