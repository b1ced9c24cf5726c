# Renames the machine.
import socket


def attack():
    socket.sethostname(socket.gethostname())
    return True
