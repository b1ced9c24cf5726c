import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, C = x.shape
    hs = C // n_heads
    q = (x @ w_q).reshape(T, n_heads, hs).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, hs).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, hs).transpose(1, 0, 2)

    att = q @ k.transpose(0, 2, 1) * (1.0 / np.sqrt(hs))
    bias = np.tril(np.ones((T, T))).T
    att = np.where(bias == 0, -np.inf, att)

    att = att - att.max(axis=-1, keepdims=True)
    att = np.exp(att)
    att = att / att.sum(axis=-1, keepdims=True)
    y = (att @ v).transpose(1, 0, 2).reshape(T, C)
    return y @ w_o, att
