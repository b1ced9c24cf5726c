# 1 at the maximum.
import numpy as np

def softmax(scores): return (np.arange(scores.shape[1]) == scores.argmax(-1)[:, None]).astype(scores.dtype)
