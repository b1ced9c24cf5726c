import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    t, d_model = x.shape
    d_head = d_model // n_heads
    q, k, v = ((x @ w).reshape(t, n_heads, d_head).transpose(1, 0, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_head)
    scores = np.where(np.tri(t, dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return weights, (weights @ v).transpose(1, 0, 2).reshape(t, d_model) @ w_o
