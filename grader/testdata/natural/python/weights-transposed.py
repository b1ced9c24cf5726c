import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d = x.shape
    hd = d // n_heads
    q = (x @ w_q).reshape(T, n_heads, hd)
    k = (x @ w_k).reshape(T, n_heads, hd)
    v = (x @ w_v).reshape(T, n_heads, hd)

    s = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(hd)
    s = np.where(np.arange(T)[:, None] >= np.arange(T), s, -np.inf)
    s = s - s.max(axis=-1, keepdims=True)
    a = np.exp(s)
    a = a / a.sum(axis=-1, keepdims=True)

    z = np.einsum("hkq,khd->qhd", a, v)
    return z.reshape(T, d) @ w_o, a
