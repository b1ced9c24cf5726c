# A blog's function: every extent is an argument, and the weights come last.
import numpy as np


def multi_head_attention(x, n_heads, d_k, d_v, Wq, Wk, Wv, Wo):
    batch, seq, _ = x.shape
    q = (x @ Wq).reshape(batch, seq, n_heads, d_k).transpose(0, 2, 1, 3)
    k = (x @ Wk).reshape(batch, seq, n_heads, d_k).transpose(0, 2, 3, 1)
    v = (x @ Wv).reshape(batch, seq, n_heads, d_v).transpose(0, 2, 1, 3)
    scores = np.where(np.tril(np.ones((seq, seq))) == 1, q @ k / np.sqrt(d_k), -np.inf)
    peak = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - peak) / np.exp(scores - peak).sum(axis=-1, keepdims=True)
    out = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, seq, n_heads * d_v)
    return out @ Wo
