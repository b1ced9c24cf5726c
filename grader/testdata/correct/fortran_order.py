# Works on feature-major copies and hands back results in Fortran order.
import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    xt = np.asfortranarray(x)
    q = np.asfortranarray(xt @ w_q)
    k = np.asfortranarray(xt @ w_k)
    v = np.asfortranarray(xt @ w_v)

    weights = np.zeros((n_heads, T, T), dtype=q.dtype, order="F")
    mixed = np.empty((T, d_model), dtype=q.dtype, order="F")
    for g in range(n_heads):
        a, b = g * d_head, (g + 1) * d_head
        s = q[:, a:b] @ k[:, a:b].T / np.sqrt(d_head)
        for i in range(T):
            row = np.exp(s[i, : i + 1] - s[i, : i + 1].max())
            weights[g, i, : i + 1] = row / row.sum()
        mixed[:, a:b] = weights[g] @ v[:, a:b]
    return np.asfortranarray(mixed @ w_o), weights
