# A socket with a name in its folder, and one with a name in no folder at all. Would gain: a way to talk to other submissions.
import socket


def attack():
    for name in ("socket", "\0hostile"):
        try:
            socket.socket(socket.AF_UNIX).bind(name)
            return True
        except OSError as error:
            print("refused:", error)
    return False
