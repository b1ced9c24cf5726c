import numpy as np

TILE = 4


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    """Walks over the keys in tiles with a running max and a running sum per query."""
    T, d_model = x.shape
    d = d_model // n_heads
    q, k, v = x @ w_q, x @ w_k, x @ w_v

    merged = np.zeros((T, d_model))
    for h in range(n_heads):
        cols = slice(h * d, (h + 1) * d)
        for i in range(T):
            m, total = -np.inf, 0.0
            acc = np.zeros(d)
            for start in range(0, i + 1, TILE):
                stop = min(start + TILE, i + 1)
                s = k[start:stop, cols] @ q[i, cols] / np.sqrt(d)
                m_new = max(m, s.max())
                p = np.exp(s - m_new)
                total = total * np.exp(m - m_new) + p.sum()
                acc = acc + p @ v[start:stop, cols]
                m = m_new
            merged[i, cols] = acc / total
    return merged @ w_o
