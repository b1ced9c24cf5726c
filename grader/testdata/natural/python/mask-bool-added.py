import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d = x.shape
    q = np.split(x @ w_q, n_heads, axis=1)
    k = np.split(x @ w_k, n_heads, axis=1)
    v = np.split(x @ w_v, n_heads, axis=1)
    pos = np.arange(T)
    mask = pos[None, :] > pos[:, None]

    S = [q[h] @ k[h].T / np.sqrt(d // n_heads) for h in range(n_heads)]
    S = [s + mask for s in S]
    P = [np.exp(s - s.max(axis=1, keepdims=True)) for s in S]
    P = [p / p.sum(axis=1, keepdims=True) for p in P]
    z = np.concatenate([P[h] @ v[h] for h in range(n_heads)], axis=1)
    return z @ w_o, np.stack(P)
