import numpy as np


def causal_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    T, d_k = q.shape
    scores = q @ k.T / np.sqrt(d_k)
    scores = np.ma.masked_array(scores, mask=np.triu(np.ones((T, T), dtype=bool), 1)).filled(-np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ v, weights
