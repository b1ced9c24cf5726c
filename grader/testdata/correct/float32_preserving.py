import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    """Keeps the dtype of x from beginning to end."""
    dtype = x.dtype
    T, d_model = x.shape
    d_head = d_model // n_heads
    scale = dtype.type(1.0 / np.sqrt(d_head))
    mask = np.triu(np.full((T, T), -np.inf, dtype=dtype), k=1)

    def project(w):
        return np.ascontiguousarray((x @ w).reshape(T, n_heads, d_head).swapaxes(0, 1))

    q, k, v = project(w_q), project(w_k), project(w_v)
    logits = np.matmul(q, k.swapaxes(1, 2)) * scale + mask
    logits -= logits.max(axis=-1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=-1, keepdims=True)
    y = np.matmul(logits, v).swapaxes(0, 1).reshape(T, d_model) @ w_o
    assert y.dtype == dtype
    return y, logits
