# What every file here begins with: a right answer, and one that is wrong but has the right shape.
import numpy as np


def right(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    q, k, v = [(x @ w).reshape(T, n_heads, -1).transpose(1, 0, 2) for w in (w_q, w_k, w_v)]
    scores = np.where(np.tri(T, dtype=bool), q @ k.transpose(0, 2, 1) / (d_model / n_heads) ** 0.5, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights @ v).transpose(1, 0, 2).reshape(T, d_model) @ w_o, weights


def zeros(x, w_q, w_k, w_v, w_o, n_heads):
    return np.zeros(x.shape), np.zeros((n_heads, len(x), len(x)))


