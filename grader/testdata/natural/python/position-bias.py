import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    slopes = 2.0 ** (-8.0 * np.arange(1, n_heads + 1) / n_heads)

    i, j = np.arange(T)[:, None], np.arange(T)[None, :]
    distance = i - j  # how far back

    y, weights = [], []
    for h in range(n_heads):
        c = slice(h * d_head, (h + 1) * d_head)
        s = (x @ w_q[:, c]) @ (x @ w_k[:, c]).T / np.sqrt(d_head)
        s = s - slopes[h] * distance
        s = np.where(j <= i, s, -np.inf)
        s = np.exp(s - s.max(axis=1, keepdims=True))
        a = s / s.sum(axis=1, keepdims=True)
        y.append(a @ (x @ w_v[:, c]))
        weights.append(a)
    return np.concatenate(y, axis=1) @ w_o, np.stack(weights)
