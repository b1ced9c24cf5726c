import numpy as np


def causal_mask(n):
    return np.triu(np.full((n, n), -np.inf), k=2)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n = x.shape[0]
    Q = np.array(np.split(x @ w_q, n_heads, axis=-1))  # (h, n, d)
    K = np.array(np.split(x @ w_k, n_heads, axis=-1))
    V = np.array(np.split(x @ w_v, n_heads, axis=-1))

    S = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    S = S + causal_mask(n)
    P = np.exp(S - S.max(-1, keepdims=True))
    P = P / P.sum(-1, keepdims=True)
    out = np.concatenate(list(P @ V), axis=-1)
    return out @ w_o, P
