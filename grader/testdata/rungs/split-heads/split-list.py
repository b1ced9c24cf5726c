# A list of arrays.
import numpy as np

def split_heads(x, n_heads): return np.split(x, n_heads, axis=1)

def merge_heads(heads): return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
