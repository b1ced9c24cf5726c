import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, window=4):
    T, C = x.shape
    q, k, v = [(x @ w).reshape(T, n_heads, C // n_heads).transpose(1, 0, 2) for w in (w_q, w_k, w_v)]
    att = q @ k.transpose(0, 2, 1) / np.sqrt(C // n_heads)
    i, j = np.indices((T, T))
    near = np.abs(i - j) < window
    att = np.where(near, att, -np.inf)
    att = np.exp(att - att.max(axis=-1, keepdims=True))
    att = att / att.sum(axis=-1, keepdims=True)
    out = (att @ v).transpose(1, 0, 2).reshape(T, C)
    return out @ w_o, att
