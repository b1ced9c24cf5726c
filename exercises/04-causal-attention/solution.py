import numpy as np


def causal_attention(x, w_q, w_k, w_v):
    T, d_k = x.shape[0], w_q.shape[1]

    q = x @ w_q                                              # (T, d_k)
    k = x @ w_k                                              # (T, d_k)
    v = x @ w_v                                              # (T, d_v)

    scores = q @ k.T / d_k ** 0.5                            # (T, T)
    future = np.triu(np.ones((T, T), dtype=bool), k=1)       # (T, T) true where j > i
    scores = np.where(future, -np.inf, scores)               # (T, T)

    peak = scores.max(axis=-1, keepdims=True)                # (T, 1) finite: the diagonal is visible
    weights = np.exp(scores - peak)                          # (T, T) in [0, 1], exactly 0 where hidden
    weights = weights / weights.sum(axis=-1, keepdims=True)  # (T, T) rows sum to 1

    y = weights @ v                                          # (T, d_v)
    return y, weights
