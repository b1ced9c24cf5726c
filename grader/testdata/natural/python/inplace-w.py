import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    w_q *= d_head ** -0.5  # fold the scaling into the query projection

    q = (x @ w_q).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    s = q @ k.transpose(0, 2, 1)
    s = np.where(np.tri(T, dtype=bool), s, -np.inf)
    s = np.exp(s - s.max(axis=-1, keepdims=True))
    p = s / s.sum(axis=-1, keepdims=True)
    return (p @ v).transpose(1, 0, 2).reshape(T, d_model) @ w_o, p
