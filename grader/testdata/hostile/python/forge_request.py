# Maps the questions writable, directly and by opening their memory again. Would gain: easier questions.
import mmap
import os


def attack():
    for open_it in (lambda: 3, lambda: os.open("/proc/self/fd/3", os.O_RDWR)):
        try:
            mmap.mmap(open_it(), os.fstat(3).st_size)[0:1] = b"\0"
            return True
        except (OSError, ValueError) as error:
            print("refused:", error)
    return False
