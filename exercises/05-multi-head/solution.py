import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    def split(a):                                                 # (T, d_model) → (n_heads, T, d_head)
        return a.reshape(T, n_heads, d_head).transpose(1, 0, 2)

    q = split(x @ w_q)                                            # (n_heads, T, d_head)
    k = split(x @ w_k)                                            # (n_heads, T, d_head)
    v = split(x @ w_v)                                            # (n_heads, T, d_head)

    scores = q @ k.transpose(0, 2, 1) / d_head ** 0.5             # (n_heads, T, T)
    future = np.triu(np.ones((T, T), dtype=bool), k=1)            # (T, T) true where j > i
    scores = np.where(future, -np.inf, scores)                    # (n_heads, T, T)

    peak = scores.max(axis=-1, keepdims=True)                     # (n_heads, T, 1) finite: the diagonal is visible
    weights = np.exp(scores - peak)                               # (n_heads, T, T) in [0, 1], exactly 0 where hidden
    weights = weights / weights.sum(axis=-1, keepdims=True)       # (n_heads, T, T) rows sum to 1

    heads = weights @ v                                           # (n_heads, T, d_head)
    merged = heads.transpose(1, 0, 2).reshape(T, d_model)         # (T, d_model)
    y = merged @ w_o                                              # (T, d_model)
    return y, weights
