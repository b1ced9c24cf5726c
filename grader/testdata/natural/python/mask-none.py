import numpy as np


def softmax(a):
    e = np.exp(a - a.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    """Multi-head self-attention: y and the attention weights."""
    T, d_model = x.shape
    d_k = d_model // n_heads

    q = (x @ w_q).reshape(T, n_heads, d_k).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, d_k).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, d_k).transpose(1, 0, 2)

    scores = np.matmul(q, k.transpose(0, 2, 1)) / np.sqrt(d_k)
    weights = softmax(scores)
    heads = np.matmul(weights, v)
    concat = heads.transpose(1, 0, 2).reshape(T, d_model)
    return concat @ w_o, weights
