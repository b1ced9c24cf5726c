# Turns itself into a shell that leaves a file behind.
import os


def attack():
    os.execv("/bin/sh", ["sh", "-c", "echo x > /tmp/hostile-left; exit 0"])
