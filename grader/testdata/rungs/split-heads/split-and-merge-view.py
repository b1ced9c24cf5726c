# Both of them.
import numpy as np

def split_heads(x, n_heads): return x.reshape(n_heads, x.shape[0], x.shape[1] // n_heads)
def merge_heads(heads): return heads.reshape(heads.shape[1], heads.shape[0] * heads.shape[2])
