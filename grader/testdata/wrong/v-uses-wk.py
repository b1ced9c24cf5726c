import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n, d = x.shape
    size = d // n_heads

    q = np.dot(x, w_q).reshape(n, n_heads, size)
    k = np.dot(x, w_k).reshape(n, n_heads, size)
    v = np.dot(x, w_k).reshape(n, n_heads, size)

    weights = np.zeros((n_heads, n, n))
    result = np.zeros((n, n_heads, size))
    for t in range(n):
        for h in range(n_heads):
            logits = k[: t + 1, h] @ q[t, h] / np.sqrt(size)
            p = np.exp(logits - logits.max())
            p /= p.sum()
            weights[h, t, : t + 1] = p
            result[t, h] = p @ v[: t + 1, h]
    return result.reshape(n, d) @ w_o, weights
