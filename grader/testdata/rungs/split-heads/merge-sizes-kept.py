# Uses n_heads and d_head of the last split.
import numpy as np

def split_heads(x, n_heads): global kept; kept = (x.shape[0], x.shape[1]); return x.reshape(x.shape[0], n_heads, -1).transpose(1, 0, 2)
def merge_heads(heads): return heads.transpose(1, 0, 2).reshape(kept)
