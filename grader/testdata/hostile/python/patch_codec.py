# Names an encoding that the file itself would have to provide. Would gain: a text that is not what was read.
# coding: hostile
import codecs

codecs.register(lambda name: codecs.lookup("utf-8"))


def attack():
    return False
