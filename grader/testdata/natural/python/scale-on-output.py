import numpy as np


def masked_softmax(scores):
    n = scores.shape[-1]
    rows, cols = np.indices((n, n))
    scores = np.where(cols > rows, -np.inf, scores)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    heads, weights = [], []
    for wq, wk, wv in zip(np.split(w_q, n_heads, 1), np.split(w_k, n_heads, 1), np.split(w_v, n_heads, 1)):
        q, k, v = x @ wq, x @ wk, x @ wv
        w = masked_softmax(q @ k.T)
        heads.append(w @ v / np.sqrt(k.shape[1]))
        weights.append(w)
    y = np.concatenate(heads, axis=-1) @ w_o
    return y, np.stack(weights)
