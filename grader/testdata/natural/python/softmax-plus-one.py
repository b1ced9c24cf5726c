import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    rows = x.shape[0]
    d = x.shape[1] // n_heads
    weights = np.zeros((n_heads, rows, rows))
    merged = []
    for g in range(n_heads):
        q = x @ w_q[:, g * d:(g + 1) * d]
        k = x @ w_k[:, g * d:(g + 1) * d]
        v = x @ w_v[:, g * d:(g + 1) * d]
        for i in range(rows):
            s = np.array([np.dot(q[i], k[j]) for j in range(i + 1)]) / np.sqrt(d)
            e = np.exp(s - max(s))
            weights[g, i, :i + 1] = e / (1 + sum(e))
        merged.append(weights[g] @ v)
    return np.concatenate(merged, axis=-1) @ w_o, weights
