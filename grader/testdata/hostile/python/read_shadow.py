# Reads a file that only root may read. Would gain: everything, where the grader runs as root.
def attack():
    return "root" in open("/etc/shadow").read()
