# (T, n_heads, d_head): the transpose is missing.
import numpy as np

def split_heads(x, n_heads): return x.reshape(x.shape[0], n_heads, -1)

def merge_heads(heads): return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
