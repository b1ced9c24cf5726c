# A socket to the kernel, which tells about interfaces and changes them for root.
import socket


def attack():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    return True
