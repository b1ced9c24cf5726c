import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d = x.shape
    hd = d // n_heads
    q = np.einsum("tc,cd->td", x, w_q).reshape(T, n_heads, hd)
    k = np.einsum("tc,dc->td", x, w_k).reshape(T, n_heads, hd)
    v = np.einsum("tc,cd->td", x, w_v).reshape(T, n_heads, hd)

    S = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(hd)
    S = np.where(np.tri(T, dtype=bool), S, -np.inf)
    P = np.exp(S - S.max(-1, keepdims=True))
    P = P / P.sum(-1, keepdims=True)

    ctx = np.einsum("hij,jhd->ihd", P, v).reshape(T, d)
    return np.einsum("tc,cd->td", ctx, w_o), P
