import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    q = (x @ w_q).reshape(T, n_heads, d_head)
    k = (x @ w_k).reshape(T, n_heads, d_head)
    v = (x @ w_v).reshape(T, n_heads, d_head)

    M = np.tril(np.ones((T, T)))  # 1 = may look
    scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(d_head)
    scores = scores + (1 - M) * -np.inf

    scores = scores - scores.max(axis=-1, keepdims=True)
    w = np.exp(scores)
    w = w / w.sum(axis=-1, keepdims=True)
    return np.einsum("hqk,khd->qhd", w, v).reshape(T, d_model) @ w_o, w
