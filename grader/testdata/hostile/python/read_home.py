# Lists people's homes. Would gain: keys, and what others have handed in.
import os
import pwd


def attack():
    for folder in ["/home", "/root"] + [entry.pw_dir for entry in pwd.getpwall() if entry.pw_dir.startswith(("/home/", "/root"))]:
        try:
            os.listdir(folder)
            return True
        except OSError as error:
            print("refused:", error)
    return False
