import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    hd = d_model // n_heads
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    heads = []
    maps = []
    for h in range(n_heads):
        q, k, v = (m[:, h * hd:(h + 1) * hd] for m in (Q, K, V))
        A = np.zeros((T, T))
        for i in range(T):
            row = q[i] @ k[:i + 1].T / np.sqrt(hd)
            row = np.exp(row - row.max())
            A[i, :i + 1] = row / row.sum()
        heads.append(A @ v)
        maps.append(A)
    return np.concatenate(heads, axis=1) @ w_o, np.stack(maps)
