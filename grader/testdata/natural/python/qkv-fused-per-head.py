import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, D = x.shape
    d = D // n_heads
    qkv = x @ np.hstack([w_q, w_k, w_v])
    qkv = qkv.reshape(T, n_heads, 3 * d).transpose(1, 0, 2)
    q, k, v = np.split(qkv, 3, axis=-1)
    s = q @ k.transpose(0, 2, 1) / np.sqrt(d)
    s[:, np.triu(np.ones((T, T), dtype=bool), 1)] = -np.inf
    a = np.exp(s - s.max(-1, keepdims=True))
    a /= a.sum(-1, keepdims=True)
    y = (a @ v).transpose(1, 0, 2).reshape(T, D)
    return y @ w_o, a
