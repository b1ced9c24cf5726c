# (n_heads, d_head, T), as for the scores.
import numpy as np

def split_heads(x, n_heads): return x.reshape(x.shape[0], n_heads, -1).transpose(1, 2, 0)

def merge_heads(heads): return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
