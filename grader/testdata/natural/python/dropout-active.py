import numpy as np

rng = np.random.default_rng()


def dropout(a, p=0.1):
    keep = rng.random(a.shape) >= p
    return a * keep / (1 - p)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, C = x.shape
    D = C // n_heads
    q, k, v = ((x @ w).reshape(T, n_heads, D).transpose(1, 0, 2) for w in (w_q, w_k, w_v))
    att = q @ k.transpose(0, 2, 1) / np.sqrt(D)
    att = np.where(np.tril(np.ones((T, T))) == 1, att, -np.inf)
    att = np.exp(att - att.max(axis=-1, keepdims=True))
    att = att / att.sum(axis=-1, keepdims=True)
    att = dropout(att)
    y = (att @ v).transpose(1, 0, 2).reshape(T, C) @ w_o
    return y, att
