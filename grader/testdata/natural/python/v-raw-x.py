import numpy as np


def to_heads(m, h):
    return m.reshape(m.shape[0], h, -1).transpose(1, 0, 2)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n = x.shape[0]
    q = to_heads(x @ w_q, n_heads)
    k = to_heads(x @ w_k, n_heads)
    v = to_heads(x, n_heads)

    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    scores[:, np.arange(n)[:, None] < np.arange(n)] = -np.inf
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)

    z = (weights @ v).transpose(1, 0, 2).reshape(n, -1)
    return z @ w_o, weights
