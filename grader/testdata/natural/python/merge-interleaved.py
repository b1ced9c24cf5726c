import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    dk = d_model // n_heads
    q, k, v = (np.stack(np.split(x @ w, n_heads, axis=1)) for w in (w_q, w_k, w_v))  # (h, T, dk)
    logits = np.einsum("hqd,hkd->hqk", q, k) / np.sqrt(dk)
    logits = np.where(np.tri(T) == 1, logits, -np.inf)
    weights = softmax(logits)
    heads = weights @ v
    concat = np.stack(list(heads), axis=-1).reshape(T, d_model)
    return concat @ w_o, weights
