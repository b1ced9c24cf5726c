import numpy as np


def scaled_dot_product(q, k, v):
    t, d = q.shape
    scores = k @ q.T / np.sqrt(d)
    for i in range(t):
        for j in range(i + 1, t):
            scores[i, j] = -np.inf
    scores = np.exp(scores - scores.max(axis=1).reshape(-1, 1))
    scores = scores / scores.sum(axis=1).reshape(-1, 1)
    return scores @ v, scores


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    qs = np.split(x @ w_q, n_heads, axis=1)
    ks = np.split(x @ w_k, n_heads, axis=1)
    vs = np.split(x @ w_v, n_heads, axis=1)
    results = [scaled_dot_product(*qkv) for qkv in zip(qs, ks, vs)]
    y = np.hstack([r[0] for r in results]) @ w_o
    return y, np.stack([r[1] for r in results])
