import numpy as np


def dense(x, w):
    return np.maximum(x @ w, 0)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, D = x.shape
    q = dense(x, w_q).reshape(T, n_heads, -1).swapaxes(0, 1)
    k = dense(x, w_k).reshape(T, n_heads, -1).swapaxes(0, 1)
    v = dense(x, w_v).reshape(T, n_heads, -1).swapaxes(0, 1)
    e = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
    e = np.where(np.arange(T)[:, None] >= np.arange(T), e, -np.inf)
    a = np.exp(e - e.max(axis=-1, keepdims=True))
    a = a / a.sum(axis=-1, keepdims=True)
    merged = (a @ v).swapaxes(0, 1).reshape(T, D)
    return merged @ w_o, a
