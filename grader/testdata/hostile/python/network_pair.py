# A pair of sockets, through which descriptors can be sent.
import socket


def attack():
    socket.socketpair()
    return True
