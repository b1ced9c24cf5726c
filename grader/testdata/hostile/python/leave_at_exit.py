# Writes its file when the process ends, in every way that Python offers for it.
import atexit
import os
import signal
import sys

import numpy as np


def write(*_):
    for folder in ("/tmp", "..", "."):
        try:
            open(folder + "/hostile-left", "w").close()
        except OSError:
            pass


class Last:
    def __del__(self):
        write()


atexit.register(write)
sys.last = Last()
signal.signal(signal.SIGTERM, write)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return np.zeros(x.shape), np.zeros((n_heads, len(x), len(x)))
