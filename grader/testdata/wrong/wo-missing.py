import numpy as np


def masked_softmax(scores):
    n = scores.shape[-1]
    scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q, k, v = [(x @ w).reshape(T, n_heads, d_head).transpose(1, 0, 2) for w in (w_q, w_k, w_v)]
    a = masked_softmax(q @ k.transpose(0, 2, 1) / np.sqrt(d_head))
    y = (a @ v).transpose(1, 0, 2)  # (T, n_heads, d_head)
    y = y.reshape(T, d_model)  # concatenate the heads
    return y, a
