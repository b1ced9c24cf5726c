import numpy as np


def head(x, wq, wk, wv):
    q, k, v = x @ wq, x @ wk, x @ wv
    n = x.shape[0]
    s = q @ k.T
    s = np.where(np.tril(np.ones((n, n))) == 1, s, -np.inf)
    s = s - s.max(axis=1, keepdims=True)
    p = np.exp(s)
    p = p / p.sum(axis=1, keepdims=True)
    return p @ v, p


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    dh = w_q.shape[1] // n_heads
    ys, ps = [], []
    for i in range(n_heads):
        a, b = i * dh, (i + 1) * dh
        y, p = head(x, w_q[:, a:b], w_k[:, a:b], w_v[:, a:b])
        ys.append(y)
        ps.append(p)
    return np.concatenate(ys, axis=-1) @ w_o, np.stack(ps)
