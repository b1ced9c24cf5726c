import numpy as np


def softmax(a):
    a = a - a.max(axis=-1, keepdims=True)
    a = np.exp(a)
    return a / a.sum(axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d = x.shape
    hd = d // n_heads
    q, k, v = (np.moveaxis((x @ w).reshape(T, n_heads, hd), 1, 0) for w in (w_q, w_k, w_v))

    scores = q @ np.moveaxis(k, 1, 2) / np.sqrt(hd)
    masked = np.where(np.tri(T) > 0, scores, -np.inf)
    weights = softmax(masked)

    context = softmax(scores) @ v
    y = np.moveaxis(context, 0, 1).reshape(T, d) @ w_o
    return y, weights
