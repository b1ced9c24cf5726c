import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    B, D = x.shape
    dk = D // n_heads
    q = (x @ w_q).reshape(B, n_heads, dk).transpose(1, 0, 2)
    k = (x @ w_k).reshape(B, n_heads, dk).transpose(1, 0, 2)
    v = (x @ w_v).reshape(B, n_heads, dk).transpose(1, 0, 2)

    scores = q @ k.transpose(0, 2, 1) / np.sqrt(dk)
    mask = np.triu(np.ones((B, B)), k=1) == 1
    scores = np.where(mask[None], -1e9, scores)

    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p_attn = e / e.sum(axis=-1, keepdims=True)
    z = (p_attn @ v).transpose(1, 0, 2).reshape(B, D)
    return z @ w_o, p_attn
