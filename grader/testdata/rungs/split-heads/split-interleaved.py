# Both of them.
import numpy as np

def split_heads(x, n_heads): return np.stack([x[:, g::n_heads] for g in range(n_heads)])
def merge_heads(heads): return heads.transpose(1, 2, 0).reshape(heads.shape[1], heads.shape[0] * heads.shape[2])
