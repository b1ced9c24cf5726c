import numpy as np


def softmax(v):
    e = np.exp(v - np.max(v))
    return e / np.sum(e)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d = x.shape
    hd = d // n_heads
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    q = q.reshape(T, n_heads, hd)
    k = k.reshape(T, n_heads, hd)
    v = v.reshape(T, n_heads, hd)

    A = np.zeros((n_heads, T, T))
    for i in range(T):
        logits = np.sum(q[i] * k[:i + 1], axis=-1) / np.sqrt(hd)  # (i+1, h)
        A[:, i, :i + 1] = softmax(logits).T

    z = np.stack([A[h] @ v[:, h] for h in range(n_heads)], axis=1)  # (T, h, hd)
    return z.reshape(T, d) @ w_o, A
