import numpy as np


def rms_norm(m, eps=1e-6):
    return m / np.sqrt(np.mean(m * m, axis=-1, keepdims=True) + eps)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, D = x.shape
    dh = D // n_heads
    q = (x @ w_q).reshape(T, n_heads, dh).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, dh).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, dh).transpose(1, 0, 2)
    q, k = rms_norm(q), rms_norm(k)
    s = q @ k.transpose(0, 2, 1) / np.sqrt(dh)
    s = np.where(np.tri(T, dtype=bool), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    return (p @ v).transpose(1, 0, 2).reshape(T, D) @ w_o, p
