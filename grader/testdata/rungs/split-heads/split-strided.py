# Head g takes columns g, g + n_heads, ….
import numpy as np

def split_heads(x, n_heads): return np.stack([x[:, g::n_heads] for g in range(n_heads)])

def merge_heads(heads): return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
