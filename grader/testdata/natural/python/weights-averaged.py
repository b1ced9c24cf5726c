import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q = (x @ w_q).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, d_head).transpose(1, 0, 2)

    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_head)
    scores = np.where(np.tril(np.ones((T, T))) == 0, -np.inf, scores)
    attn = np.exp(scores - scores.max(axis=-1, keepdims=True))
    attn = attn / attn.sum(axis=-1, keepdims=True)
    attn = attn.mean(axis=0)  # (T, T)

    out = (attn @ v).transpose(1, 0, 2).reshape(T, d_model)
    return out @ w_o
