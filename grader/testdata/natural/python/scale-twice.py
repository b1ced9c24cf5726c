import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n, d = x.shape
    hd = d // n_heads
    scale = 1.0 / np.sqrt(hd)

    # scale the queries up front, cheaper than scaling the n x n matrix
    Q = (x @ w_q * scale).reshape(n, n_heads, hd)
    K = (x @ w_k).reshape(n, n_heads, hd)
    V = (x @ w_v).reshape(n, n_heads, hd)

    S = np.einsum("ihd,jhd->hij", Q, K)
    S = S * scale
    S[:, np.triu_indices(n, 1)[0], np.triu_indices(n, 1)[1]] = -np.inf
    S = S - S.max(axis=2)[:, :, None]
    P = np.exp(S)
    P = P / P.sum(axis=2)[:, :, None]

    ctx = np.einsum("hij,jhd->ihd", P, V)
    return ctx.reshape(n, d) @ w_o, P
