# x.shape = .. on the argument; raises when x is not contiguous.
import numpy as np

def split_heads(x, n_heads): x.shape = (x.shape[0], n_heads, x.shape[1] // n_heads); return x.transpose(1, 0, 2)

def merge_heads(heads): return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
