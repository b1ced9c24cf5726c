import numpy as np

NEG = -1e4


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    shape = (T, n_heads, d_head)

    q = (x @ w_q).reshape(shape).transpose(1, 0, 2)
    k = (x @ w_k).reshape(shape).transpose(1, 0, 2)
    v = (x @ w_v).reshape(shape).transpose(1, 0, 2)

    scale = d_head ** -0.5
    bias = np.triu(np.ones((T, T)), 1) * NEG
    scores = (q @ k.transpose(0, 2, 1) + bias) * scale

    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)

    out = weights @ v  # (h, T, d_head)
    out = out.transpose(1, 0, 2).reshape(T, d_model)
    return out @ w_o, weights
