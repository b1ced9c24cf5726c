import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, D = x.shape
    q = (x @ w_q).reshape(T, n_heads, -1).swapaxes(0, 1)
    k = (x @ w_k).reshape(T, n_heads, -1).swapaxes(0, 1)
    v = (x @ w_v).reshape(T, n_heads, -1).swapaxes(0, 1)
    e = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
    e = np.where(np.arange(T)[:, None] >= np.arange(T), e, -np.inf)
    a = np.exp(e - e.max(axis=-1, keepdims=True))
    a = a / a.sum(axis=-1, keepdims=True)
    y = (a @ v).swapaxes(0, 1).reshape(T, D) @ w_o
    y = np.maximum(y, 0.0)
    return y, a
