import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    Q = (x @ w_q).reshape(n_heads, T, d_head)
    K = (x @ w_k).reshape(n_heads, T, d_head)
    V = (x @ w_v).reshape(n_heads, T, d_head)

    S = np.einsum("hid,hjd->hij", Q, K) / np.sqrt(d_head)
    for i in range(T):
        S[:, i, i + 1:] = -np.inf
    S -= S.max(axis=-1, keepdims=True)
    A = np.exp(S)
    A /= A.sum(axis=-1, keepdims=True)

    Z = np.einsum("hij,hjd->hid", A, V)
    return Z.reshape(T, d_model) @ w_o, A
