import numpy as np


def logsumexp(a):
    m = a.max(axis=-1, keepdims=True)
    return m + np.log(np.exp(a - m).sum(axis=-1, keepdims=True))


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    def heads(w):
        return np.stack(np.split(x @ w, n_heads, axis=1))

    q, k, v = heads(w_q), heads(w_k), heads(w_v)
    scores = np.matmul(q, np.moveaxis(k, 1, 2)) / np.sqrt(d_head)
    rows, cols = np.triu_indices(T, k=1)
    scores[:, rows, cols] = -np.inf
    weights = np.exp(scores - logsumexp(scores))
    y = np.concatenate(list(weights @ v), axis=1) @ w_o
    return y, weights
