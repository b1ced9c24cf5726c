import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q, k, v = x @ w_q, x @ w_k, x @ w_v

    weights = np.zeros((n_heads, T, T))
    merged = np.empty((T, d_model))
    for h in range(n_heads):
        c = slice(h * d_head, (h + 1) * d_head)
        for i in range(T):
            s = k[:i + 1, c] @ q[i, c] / np.sqrt(d_head)
            e = np.exp(s - s.max())
            weights[h, i, :i + 1] = e / e.sum()
            for j in range(i + 1):
                merged[i, c] += weights[h, i, j] * v[j, c]
    return merged @ w_o, weights
