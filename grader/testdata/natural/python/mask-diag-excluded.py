import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    q = (x @ w_q).reshape(T, n_heads, d_head).swapaxes(0, 1)
    k = (x @ w_k).reshape(T, n_heads, d_head).swapaxes(0, 1)
    v = (x @ w_v).reshape(T, n_heads, d_head).swapaxes(0, 1)

    mask = np.triu(np.full((T, T), -np.inf))
    scores = q @ k.swapaxes(1, 2) / np.sqrt(d_head) + mask

    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights /= np.sum(weights, axis=-1, keepdims=True)
    y = (weights @ v).swapaxes(0, 1).reshape(T, d_model) @ w_o
    return y, weights
