import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T = x.shape[0]
    d = x.shape[1]
    dk = d // n_heads

    def heads(w):
        return (x @ w).reshape(T, n_heads, dk).transpose(1, 0, 2)

    s = heads(w_q) @ heads(w_k).transpose(0, 2, 1)
    s = s / dk**0.5
    s = np.where(np.arange(T)[None, :] > np.arange(T)[:, None], -np.inf, s)

    e = np.exp(s)
    a = e / e.sum(axis=2, keepdims=True)

    o = a @ heads(w_v)
    return o.transpose(1, 0, 2).reshape(T, d) @ w_o, a
