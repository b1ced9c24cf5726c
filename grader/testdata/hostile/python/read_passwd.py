# Reads a file that every user may read. Would gain: whatever lies on the machine, other people's submissions included.
def attack():
    return "root" in open("/etc/passwd").read()
