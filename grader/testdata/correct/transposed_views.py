import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    """Tokens stand in columns inside; what goes out is a view that turns them back."""
    T, d_model = x.shape
    d_head = d_model // n_heads
    xt = x.T
    q = (w_q.T @ xt).reshape(n_heads, d_head, T)
    k = (w_k.T @ xt).reshape(n_heads, d_head, T)
    v = (w_v.T @ xt).reshape(n_heads, d_head, T)
    # s[h, j, i]: key j down, query i across
    s = k.transpose(0, 2, 1) @ q / np.sqrt(d_head)
    s = np.where(np.tri(T, k=-1, dtype=bool), -np.inf, s)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    a = e / e.sum(axis=1, keepdims=True)
    yt = w_o.T @ (v @ a).reshape(d_model, T)
    return yt.T, a.transpose(0, 2, 1)
