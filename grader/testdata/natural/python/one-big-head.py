import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v

    T, d = q.shape
    scores = q @ k.T / np.sqrt(d)
    scores[np.triu_indices(T, k=1)] = -np.inf

    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return (weights @ v) @ w_o
