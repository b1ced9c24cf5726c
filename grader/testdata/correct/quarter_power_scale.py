import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    # Half of the scaling goes on q and half on k, so that neither the dot products nor the factors get large.
    T, d_model = x.shape
    d_head = d_model // n_heads
    s = d_head ** -0.25

    to_heads = lambda m: m.reshape(T, n_heads, d_head).transpose(1, 0, 2)
    q = to_heads(x @ w_q) * s
    k = to_heads(x @ w_k) * s
    v = to_heads(x @ w_v)

    scores = q @ k.transpose(0, 2, 1)
    visible = np.arange(T)[:, None] >= np.arange(T)[None, :]
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=2)[:, :, None])
    weights = weights / weights.sum(axis=2)[:, :, None]
    return (weights @ v).transpose(1, 0, 2).reshape(T, d_model) @ w_o, weights
