# Names that look like options, like other folders, or like nothing at all.
import os


def attack():
    for name in (b"-rf", b"...", b" ", b"a\nb", b"\xff\xfe", b"\x1b[2J", b"*", b"x" * 255):
        with open(name, "w"):
            pass
        os.mkdir(name[:200] + b".folder")
