import numpy as np

LANES = 8


def round_up(n, multiple):
    return (n + multiple - 1) // multiple * multiple


def pad_last(m, width):
    extra = width - m.shape[-1]
    return np.concatenate([m, np.zeros(m.shape[:-1] + (extra,), dtype=m.dtype)], axis=-1)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    width = round_up(d_head, LANES)

    q = (x @ w_q).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, d_head).transpose(1, 0, 2)

    # aligned copies for the big product, zeros do not change a dot product
    q, k = pad_last(q, width), pad_last(k, width)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])

    visible = np.tri(T, dtype=bool)
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    out = (weights @ v).transpose(1, 0, 2).reshape(T, d_model)
    return out @ w_o, weights
