import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    hidden = np.triu(np.ones((T, T), dtype=bool), 1)

    concat = np.zeros((T, 0))
    weights = np.zeros((n_heads, T, T))
    for h in range(n_heads):
        cols = np.arange(h * d_head, (h + 1) * d_head)
        q, k, v = x @ w_q[:, cols], x @ w_k[:, cols], x @ w_v[:, cols]
        s = q @ k.T / np.sqrt(d_head)
        s[hidden] = -np.inf
        e = np.exp(s - s.max(axis=1, keepdims=True))
        weights[h] = e / e.sum(axis=1, keepdims=True)
        concat = np.concatenate([weights[h] @ v, concat], axis=1)
    return concat @ w_o, weights
