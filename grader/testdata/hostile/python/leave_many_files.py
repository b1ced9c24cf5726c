# Fifty thousand files. Would gain: a folder that takes long to remove, or is not removed.
def attack():
    for i in range(50000):
        open(str(i), "w").close()
    return True
