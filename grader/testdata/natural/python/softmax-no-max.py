import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    def heads(w):
        return (x @ w).reshape(T, n_heads, d_head).transpose(1, 0, 2)

    q, k, v = heads(w_q), heads(w_k), heads(w_v)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_head)
    scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)

    exps = np.exp(scores)
    attn = exps / exps.sum(axis=-1, keepdims=True)

    out = (attn @ v).transpose(1, 0, 2).reshape(T, d_model)
    return out @ w_o, attn
