import numpy as np


def softmax(z, eps=1e-6):
    z = z - z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / (e.sum(axis=-1, keepdims=True) + eps)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, C = x.shape
    hs = C // n_heads
    q, k, v = [np.reshape(x @ w, (T, n_heads, hs)).transpose(1, 0, 2) for w in (w_q, w_k, w_v)]
    att = q @ k.transpose(0, 2, 1) / np.sqrt(hs)
    att = att + np.triu(np.full((T, T), -np.inf), k=1)
    att = softmax(att)
    y = np.reshape((att @ v).transpose(1, 0, 2), (T, C))
    return y @ w_o, att
