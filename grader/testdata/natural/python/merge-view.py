import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    seq, emb = x.shape
    hd = emb // n_heads

    queries = (x @ w_q).reshape(seq, n_heads, hd).transpose(1, 0, 2)
    keys = (x @ w_k).reshape(seq, n_heads, hd).transpose(1, 0, 2)
    values = (x @ w_v).reshape(seq, n_heads, hd).transpose(1, 0, 2)

    dot = queries @ keys.transpose(0, 2, 1) / np.sqrt(hd)
    dot[:, ~np.tri(seq, dtype=bool)] = -np.inf
    dot = np.exp(dot - dot.max(axis=2, keepdims=True))
    dot = dot / dot.sum(axis=2, keepdims=True)

    out = (dot @ values).reshape(seq, emb)
    return out @ w_o, dot
