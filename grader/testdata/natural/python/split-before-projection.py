import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, D = x.shape
    d = D // n_heads
    mask = np.tril(np.ones((T, T), dtype=bool))
    outs, maps = [], []
    for h in range(n_heads):
        block = slice(h * d, (h + 1) * d)
        xh = x[:, block]
        q = xh @ w_q[block, block]
        k = xh @ w_k[block, block]
        v = xh @ w_v[block, block]
        s = np.where(mask, q @ k.T / np.sqrt(d), -np.inf)
        p = np.exp(s - s.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        outs.append(p @ v)
        maps.append(p)
    return np.concatenate(outs, axis=1) @ w_o, np.stack(maps)
