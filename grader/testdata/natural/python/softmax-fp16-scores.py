import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q = (x @ w_q).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, d_head).transpose(1, 0, 2)

    # the (h, T, T) array is the big one: keep it in half precision
    scores = (q @ k.transpose(0, 2, 1) / np.sqrt(d_head)).astype(np.float16)
    scores = np.where(np.tri(T, dtype=bool), scores, -np.inf).astype(x.dtype)

    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    out = (weights @ v).transpose(1, 0, 2).reshape(T, d_model)
    return out @ w_o, weights
