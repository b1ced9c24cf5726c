import numpy as np


def softmax_rows(m):
    m = m - m.max(axis=1, keepdims=True)
    e = np.exp(m)
    return e / e.sum(axis=1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n = x.shape[0]
    attn = []
    y = 0
    for wq, wk, wv, wo in zip(
        np.hsplit(w_q, n_heads), np.hsplit(w_k, n_heads), np.hsplit(w_v, n_heads), np.vsplit(w_o, n_heads)
    ):
        dots = (x @ wq) @ (x @ wk).T / np.sqrt(wq.shape[1])
        dots[np.triu_indices(n, 1)] = np.inf
        a = softmax_rows(dots)
        attn.append(a)
        y = y + a @ (x @ wv) @ wo
    return y, np.array(attn)
