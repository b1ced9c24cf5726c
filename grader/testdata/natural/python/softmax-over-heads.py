import numpy as np


def softmax(z):
    e = np.exp(z - z.max(0))
    return e / e.sum(0)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q = (x @ w_q).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    k = (x @ w_k).reshape(T, n_heads, d_head).transpose(1, 0, 2)
    v = (x @ w_v).reshape(T, n_heads, d_head).transpose(1, 0, 2)

    weights = np.zeros((n_heads, T, T))
    out = np.zeros((T, n_heads, d_head))
    for t in range(T):
        # token t sees 0..t
        past = k[:, :t + 1]  # (h, t+1, d)
        s = np.einsum("hd,hjd->hj", q[:, t], past) / np.sqrt(d_head)
        p = softmax(s)
        weights[:, t, :t + 1] = p
        out[t] = np.einsum("hj,hjd->hd", p, v[:, :t + 1])
    return out.reshape(T, d_model) @ w_o, weights
