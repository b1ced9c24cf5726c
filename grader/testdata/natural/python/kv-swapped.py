import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, C = x.shape
    D = C // n_heads
    # one product for all three
    qkv = x @ np.concatenate([w_q, w_k, w_v], axis=1)  # (T, 3C)
    q, v, k = np.split(qkv, 3, axis=1)
    q = q.reshape(T, n_heads, D).swapaxes(0, 1)
    k = k.reshape(T, n_heads, D).swapaxes(0, 1)
    v = v.reshape(T, n_heads, D).swapaxes(0, 1)

    att = q @ k.swapaxes(1, 2) / np.sqrt(D)
    att = att + np.triu(np.full((T, T), -np.inf), k=1)
    att = np.exp(att - att.max(axis=-1, keepdims=True))
    att /= att.sum(axis=-1, keepdims=True)
    return (att @ v).swapaxes(0, 1).reshape(T, C) @ w_o, att
