import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    causal = np.tril(np.ones((T, T), dtype=bool))

    total = np.zeros((T, d_head))
    weights = np.zeros((n_heads, T, T))
    for h in range(n_heads):
        c = slice(h * d_head, (h + 1) * d_head)
        weights[h] = softmax(np.where(causal, Q[:, c] @ K[:, c].T / np.sqrt(d_head), -np.inf))
        total += weights[h] @ V[:, c]
    # back to d_model columns for the projection
    y = np.tile(total, (1, n_heads)) @ w_o
    return y, weights
