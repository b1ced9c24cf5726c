# reshape(.., order="F"): columns strided.
import numpy as np

def split_heads(x, n_heads): return x.reshape(x.shape[0], n_heads, x.shape[1] // n_heads, order="F").transpose(1, 0, 2)

def merge_heads(heads): return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
