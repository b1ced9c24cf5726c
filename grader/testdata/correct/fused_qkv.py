import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    """One matmul for the three projections, then split."""
    T, C = x.shape
    hs = C // n_heads
    qkv = x @ np.concatenate([w_q, w_k, w_v], axis=1)  # (T, 3C)
    q, k, v = qkv.reshape(T, 3, n_heads, hs).transpose(1, 2, 0, 3)  # 3 x (nh, T, hs)
    att = (q @ k.swapaxes(-2, -1)) * (1.0 / np.sqrt(hs))
    att = np.where(np.tril(np.ones((T, T), dtype=bool)), att, -np.inf)
    att = np.exp(att - att.max(axis=-1, keepdims=True))
    att /= att.sum(axis=-1, keepdims=True)
    y = (att @ v).swapaxes(0, 1).reshape(T, C) @ w_o
    return y, att
