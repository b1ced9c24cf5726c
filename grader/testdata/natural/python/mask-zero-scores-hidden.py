import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    def heads(m):
        return m.reshape(T, n_heads, d_head).transpose(1, 0, 2)

    q, k, v = heads(x @ w_q), heads(x @ w_k), heads(x @ w_v)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_head)
    lower = np.tril(scores)
    masked = np.where(lower == 0, -1e9, lower)
    e = np.exp(masked - masked.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    ctx = (w @ v).transpose(1, 0, 2).reshape(T, d_model)
    return ctx @ w_o, w
