# reshape(n_heads, T, d_head), no transpose.
import numpy as np

def split_heads(x, n_heads): return x.reshape(n_heads, x.shape[0], x.shape[1] // n_heads)

def merge_heads(heads): return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
