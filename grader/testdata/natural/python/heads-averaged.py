import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q = (x @ w_q).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, d_head).transpose(1, 0, 2)

    att = q @ k.transpose(0, 2, 1) / np.sqrt(d_head)
    att = np.where(np.triu(np.ones((T, T)), 1) == 1, -np.inf, att)
    att = np.exp(att - att.max(-1, keepdims=True))
    att = att / att.sum(-1, keepdims=True)

    z = att @ v  # (h, T, d_head)
    z = z.mean(axis=0)  # combine the heads
    z = np.concatenate([z] * n_heads, axis=-1)
    return z @ w_o, att
