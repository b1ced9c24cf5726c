import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    d_head = q.shape[-1] // n_heads
    T = q.shape[-2]
    s = lambda a: a.reshape(*a.shape[:-1], n_heads, d_head).swapaxes(-3, -2)
    q, k, v = s(q), s(k), s(v)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(d_head)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    w = np.exp(scores - scores.max(-1, keepdims=True)); w /= w.sum(-1, keepdims=True)
    o = (w @ v).swapaxes(-3, -2); o = o.reshape(*o.shape[:-2], -1)
    return o @ w_o, w
