import numpy as np


def causal_multi_head_attention(x, W_qkv, b_qkv, W_o, b_o, n_heads):
    q, k, v = np.split(x @ W_qkv + b_qkv, 3, axis=-1)
    d_head = q.shape[-1] // n_heads
    T = q.shape[-2]
    s = lambda a: a.reshape(*a.shape[:-1], n_heads, d_head).swapaxes(-3, -2)
    q, k, v = s(q), s(k), s(v)
    scores = np.where(np.tri(T, dtype=bool), q @ k.swapaxes(-1, -2) / np.sqrt(d_head), -np.inf)
    w = np.exp(scores - scores.max(-1, keepdims=True)); w /= w.sum(-1, keepdims=True)
    o = (w @ v).swapaxes(-3, -2); o = o.reshape(*o.shape[:-2], -1)
    return o @ W_o + b_o, w
