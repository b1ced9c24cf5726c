import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    hd = d_model // n_heads
    causal = np.tril(np.ones((T, T), dtype=bool))

    ys, ws = [], []
    for i in range(n_heads):
        sl = np.s_[:, i * hd:(i + 1) * hd]
        q, k, v = x @ w_q[sl], x @ w_k[sl], x @ w_v[sl]
        att = q @ k.T / np.sqrt(hd)
        att = np.where(causal, att, -1e4)
        att = np.exp(att - att.max(axis=1, keepdims=True))
        att = att / att.sum(axis=1, keepdims=True)
        ys.append(att @ v)
        ws.append(att)
    return np.concatenate(ys, axis=1) @ w_o, np.stack(ws)
