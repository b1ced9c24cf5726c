import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d = x.shape
    dh = d // n_heads
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    out = np.zeros_like(Q)
    A = np.zeros((n_heads, T, T), dtype=Q.dtype)
    for h in range(n_heads):
        s = slice(h * dh, h * dh + dh)
        logits = Q[:, s] @ K[:, s].T / np.sqrt(dh)
        logits = np.tril(logits)  # cut off the future
        logits = logits - logits.max(axis=1).reshape(-1, 1)
        e = np.exp(logits)
        A[h] = e / e.sum(axis=1).reshape(-1, 1)
        out[:, s] = A[h] @ V[:, s]
    return out @ w_o, A
