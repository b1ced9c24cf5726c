import numpy as np

MASKED = -1e5


def attend(q, k, v):
    """q, k, v: (heads, tokens, d_head)"""
    n = q.shape[1]
    scores = np.einsum("hqd,hkd->hqk", q, k) / np.sqrt(q.shape[2])
    rows, cols = np.triu_indices(n, k=1)
    scores[:, rows, cols] = MASKED
    scores -= scores.max(axis=2, keepdims=True)
    p = np.exp(scores)
    p /= p.sum(axis=2, keepdims=True)
    return np.einsum("hqk,hkd->hqd", p, v), p


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    split = lambda m: np.stack(np.split(m, n_heads, axis=1))
    out, weights = attend(split(x @ w_q), split(x @ w_k), split(x @ w_v))
    return np.concatenate(out, axis=1) @ w_o, weights
