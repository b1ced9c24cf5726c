import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=0))
    return e / e.sum(axis=0)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T = x.shape[0]
    y = np.zeros(x.shape)
    weights = []
    hidden = np.triu(np.ones((T, T)), 1) > 0
    for wq, wk, wv, wo in zip(*[np.split(w, n_heads, axis=1) for w in (w_q, w_k, w_v)], np.split(w_o, n_heads)):
        q = x @ wq
        k = x @ wk
        v = x @ wv
        s = q @ k.T / np.sqrt(q.shape[1])
        s[hidden] = -np.inf
        a = softmax(s)
        weights.append(a)
        y += a @ v @ wo
    return y, np.stack(weights)
