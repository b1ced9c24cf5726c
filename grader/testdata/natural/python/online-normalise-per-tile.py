import numpy as np


def flash_head(q, k, v, block=4):
    T, d = q.shape
    m = np.full(T, -np.inf)
    l = np.zeros(T)
    o = np.zeros((T, d))
    for j in range(0, T, block):
        kj, vj = k[j:j + block], v[j:j + block]
        s = q @ kj.T / np.sqrt(d)  # (T, block)
        hidden = np.arange(j, j + len(kj))[None, :] > np.arange(T)[:, None]
        s[hidden] = -np.inf

        m_new = np.maximum(m, s.max(axis=1))
        p = np.exp(s - m_new[:, None])
        fix = np.exp(m - m_new)
        l = l * fix + p.sum(axis=1)
        o = (o * fix[:, None] + p @ vj) / l[:, None]
        m = m_new
    return o


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    parts = [np.split(x @ w, n_heads, axis=1) for w in (w_q, w_k, w_v)]
    return np.concatenate([flash_head(q, k, v) for q, k, v in zip(*parts)], axis=1) @ w_o
