import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T = x.shape[0]
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    d = q.shape[1] // n_heads
    weights = np.zeros((n_heads, T, T), dtype=x.dtype)
    for h in range(n_heads):
        c = slice(h * d, h * d + d)
        s = q[:, c] @ k[:, c].T / np.sqrt(d)
        s[np.triu_indices(T, 1)] = -np.inf
        e = np.exp(s - s.max(axis=1, keepdims=True))
        weights[h] = e / e.sum(axis=1, keepdims=True)
        x[:, c] = weights[h] @ v[:, c]  # the projections are done, its memory is free
    return x @ w_o, weights
