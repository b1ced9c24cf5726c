import numpy as np

D_K = 64


def softmax(z):
    z = z - z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, D = x.shape
    q = (x @ w_q).reshape(T, n_heads, -1).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, -1).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, -1).transpose(1, 0, 2)
    raw = q @ k.transpose(0, 2, 1)
    scores = raw / np.sqrt(D_K)
    scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)
    p = softmax(scores)
    return (p @ v).transpose(1, 0, 2).reshape(T, D) @ w_o, p
