# Both of them.
import numpy as np

def split_heads(x, n_heads): return x.reshape(x.shape[0], n_heads, -1).transpose(1, 0, 2)[::-1]
def merge_heads(heads): return heads[::-1].transpose(1, 0, 2).reshape(heads.shape[1], -1)
