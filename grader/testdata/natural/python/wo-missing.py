import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    q_heads = np.split(x @ w_q, n_heads, axis=1)
    k_heads = np.split(x @ w_k, n_heads, axis=1)
    v_heads = np.split(x @ w_v, n_heads, axis=1)

    n = x.shape[0]
    mask = np.zeros((n, n))
    mask[np.triu_indices(n, k=1)] = -np.inf

    outs = []
    weights = []
    for q, k, v in zip(q_heads, k_heads, v_heads):
        s = q @ k.T / np.sqrt(q.shape[1]) + mask
        s = np.exp(s - s.max(axis=1, keepdims=True))
        a = s / s.sum(axis=1, keepdims=True)
        outs.append(a @ v)
        weights.append(a)

    y = np.concatenate(outs, axis=1)
    return y, np.stack(weights)
