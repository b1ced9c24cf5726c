import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n, d = x.shape
    hd = d // n_heads

    Q = (x @ w_q).reshape(n, n_heads, hd)
    K = (x @ w_k).reshape(n, n_heads, hd)
    V = (x @ w_v).reshape(n, n_heads, hd)

    S = np.einsum("ihd,jhd->hij", Q, K) / np.sqrt(hd)
    S[:, np.triu(np.ones((n, n), dtype=bool), k=1)] = -np.inf

    E = np.exp(S)
    P = np.nan_to_num(E / E.sum(axis=-1, keepdims=True), nan=0.0)

    ctx = np.einsum("hij,jhd->ihd", P, V).reshape(n, d)
    return ctx @ w_o, P
