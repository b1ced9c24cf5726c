import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n, d = x.shape
    d_h = d // n_heads
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    A = np.zeros((n_heads, n, n))

    # x is not needed any more, so its memory can hold the concatenated heads
    for g in range(n_heads):
        lo, hi = g * d_h, g * d_h + d_h
        S = Q[:, lo:hi] @ K[:, lo:hi].T / np.sqrt(d_h)
        S[np.triu_indices(n, k=1)] = -np.inf
        E = np.exp(S - S.max(axis=1, keepdims=True))
        A[g] = E / E.sum(axis=1, keepdims=True)
        x[:, lo:hi] = A[g] @ V[:, lo:hi]

    return x @ w_o, A
