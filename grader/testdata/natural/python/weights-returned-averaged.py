import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    split = lambda w: np.moveaxis((x @ w).reshape(T, n_heads, d_head), 1, 0)
    q, k, v = map(split, (w_q, w_k, w_v))

    logits = np.einsum("hid,hjd->hij", q, k) / np.sqrt(d_head)
    logits = logits + np.where(np.tri(T) == 1, 0.0, -np.inf)
    p = np.exp(logits - logits.max(axis=-1, keepdims=True))
    p = p / p.sum(axis=-1, keepdims=True)

    out = np.moveaxis(p @ v, 0, 1).reshape(T, d_model) @ w_o
    average = p.mean(axis=0, keepdims=True)
    return out, np.repeat(average, n_heads, axis=0)
