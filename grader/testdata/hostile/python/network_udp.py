# The same over UDP.
import socket


def attack():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))
    server.settimeout(2)
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", server.getsockname())
    return server.recv(1) == b"x"
