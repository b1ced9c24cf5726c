# Calls itself for ever.
import numpy as np


def softmax(s):
    return softmax(s - s.max(axis=-1, keepdims=True))


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    d_head = x.shape[1] // n_heads
    heads = []
    for g in range(n_heads):
        own = slice(g * d_head, (g + 1) * d_head)
        s = (x @ w_q[:, own]) @ (x @ w_k[:, own]).T / np.sqrt(d_head)
        s[np.triu_indices(len(x), 1)] = -np.inf
        heads.append(softmax(s) @ x @ w_v[:, own])
    return np.concatenate(heads, axis=1) @ w_o
