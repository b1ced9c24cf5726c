import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    """Runs over the keys once, with a running maximum, sum and accumulator. Never holds a row of scores."""
    T, d_model = x.shape
    d_head = d_model // n_heads
    shape = (T, n_heads, d_head)
    q = (x @ w_q).reshape(shape)
    k = (x @ w_k).reshape(shape)
    v = (x @ w_v).reshape(shape)

    out = np.empty_like(q)
    for i in range(T):
        running_max = np.full(n_heads, -np.inf, dtype=q.dtype)
        running_sum = np.zeros(n_heads, dtype=q.dtype)
        acc = np.zeros((n_heads, d_head), dtype=q.dtype)
        for j in range(i + 1):
            s = (q[i] * k[j]).sum(axis=1) / d_head**0.5
            new_max = np.maximum(running_max, s)
            shrink = np.exp(running_max - new_max)
            p = np.exp(s - new_max)
            running_sum = running_sum * shrink + p
            acc = acc * shrink[:, None] + p[:, None] * v[j]
            running_max = new_max
        out[i] = acc / running_sum[:, None]
    return out.reshape(T, d_model) @ w_o
