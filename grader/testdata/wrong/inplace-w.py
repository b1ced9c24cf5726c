import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    # scaling the small matrix is cheaper than scaling all the scores
    w_q /= np.sqrt(d_head)

    q = (x @ w_q).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, d_head).transpose(1, 2, 0)
    v = (x @ w_v).reshape(T, n_heads, d_head).transpose(1, 0, 2)

    scores = q @ k
    hidden = np.triu(np.ones((T, T), dtype=bool), 1)
    scores = np.where(hidden[None], -np.inf, scores)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)

    merged = np.concatenate(list(weights @ v), axis=1)
    return merged @ w_o, weights
