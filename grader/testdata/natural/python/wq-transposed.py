import numpy as np


def linear(x, w):
    return x @ w


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q = linear(x, w_q.T)
    k = linear(x, w_k)
    v = linear(x, w_v)

    out = []
    weights = []
    for h in range(n_heads):
        part = slice(h * d_head, (h + 1) * d_head)
        s = np.full((T, T), -np.inf)
        for i in range(T):
            for j in range(i + 1):
                s[i, j] = np.dot(q[i, part], k[j, part]) / np.sqrt(d_head)
        s = np.exp(s - s.max(axis=1, keepdims=True))
        w = s / s.sum(axis=1, keepdims=True)
        out.append(w @ v[:, part])
        weights.append(w)
    return linear(np.hstack(out), w_o), np.stack(weights)
