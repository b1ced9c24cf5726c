# Right split, heads interleaved column by column.
import numpy as np

def merge_heads(heads): return heads.transpose(1, 2, 0).reshape(heads.shape[1], heads.shape[0] * heads.shape[2])

def split_heads(x, n_heads): return x.reshape(x.shape[0], n_heads, -1).transpose(1, 0, 2)
