import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    out = np.zeros_like(Q)
    weights = []
    for g in range(n_heads):
        q, k, v = Q[:, g::n_heads], K[:, g::n_heads], V[:, g::n_heads]
        s = q @ k.T / np.sqrt(q.shape[1])
        s = s + np.triu(np.full((T, T), -np.inf), 1)
        s = s - s.max(axis=1)[:, None]
        w = np.exp(s)
        w = w / w.sum(axis=1)[:, None]
        out[:, g::n_heads] = w @ v
        weights.append(w)
    return out @ w_o, np.stack(weights)
