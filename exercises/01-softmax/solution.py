import numpy as np


def softmax(scores):
    peak = scores.max(axis=-1, keepdims=True)                # (T, 1) finite: every row has a finite entry
    e = np.exp(scores - peak)                                # (T, S) in [0, 1], exactly 0 where hidden
    return e / e.sum(axis=-1, keepdims=True)                 # (T, S) the peak alone adds 1: never 0/0
