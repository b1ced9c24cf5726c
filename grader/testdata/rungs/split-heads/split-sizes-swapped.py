# N_heads and d_head exchanged: (d_head, T, n_heads).
import numpy as np

def split_heads(x, n_heads): return x.reshape(x.shape[0], -1, n_heads).transpose(1, 0, 2)

def merge_heads(heads): return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
