import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, C = x.shape
    D = C // n_heads

    q = (x @ w_q).reshape(T, n_heads, D).swapaxes(0, 1)  # (H, T, D)
    k = (x @ w_k).reshape(T, n_heads, D).swapaxes(0, 1)  # (H, T, D)
    v = (x @ w_v).reshape(T, n_heads, D).swapaxes(0, 1)  # (H, T, D)

    scores = q @ k.swapaxes(1, 2) / np.sqrt(D)  # (H, T, T)
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)  # (H, T, T)

    causal = np.tril(np.ones((T, T)))  # no peeking at later tokens
    weights = weights * causal

    y = (weights @ v).swapaxes(0, 1).reshape(T, C)
    return y @ w_o, weights
