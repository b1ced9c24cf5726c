# Talks over TCP, to itself. Would gain: somebody who knows the answers, or wants to know the questions.
import socket


def attack():
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname(), timeout=2)
    client.send(b"x")
    return server.accept()[0].recv(1) == b"x"
