import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    x = x[None]  # (1, T, d_model), a batch of one
    q = (x @ w_q).reshape(1, T, n_heads, d_head).transpose(0, 2, 1, 3)
    k = (x @ w_k).reshape(1, T, n_heads, d_head).transpose(0, 2, 1, 3)
    v = (x @ w_v).reshape(1, T, n_heads, d_head).transpose(0, 2, 1, 3)

    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(d_head)
    scores = scores + np.triu(np.full((T, T), -np.inf), 1)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)

    y = (weights @ v).transpose(0, 2, 1, 3).reshape(1, T, d_model) @ w_o
    y = y.squeeze()
    return y, weights[0]
