import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, D = x.shape
    hd = D // n_heads
    q = (x @ w_q).reshape(T, n_heads, hd).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, hd).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, hd).transpose(1, 0, 2)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(hd)
    scores = scores + np.triu(np.full((T, T), -np.inf), 1)
    sink = np.zeros((n_heads, T, 1))
    full = np.concatenate([scores, sink], axis=-1)
    full = np.exp(full - full.max(axis=-1, keepdims=True))
    full = full / full.sum(axis=-1, keepdims=True)
    attn = full[:, :, :-1]
    return (attn @ v).transpose(1, 0, 2).reshape(T, D) @ w_o, attn
