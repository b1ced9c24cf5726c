# (n_heads, T · d_head).
import numpy as np

def merge_heads(heads): return heads.reshape(heads.shape[0], -1)

def split_heads(x, n_heads): return x.reshape(x.shape[0], n_heads, -1).transpose(1, 0, 2)
