import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d = d_model // n_heads
    query = (x @ w_q).reshape(T, n_heads, d)
    key = (x @ w_k).reshape(T, n_heads, d)
    value = (x @ w_v).reshape(T, n_heads, d)

    logits = np.einsum("thd,shd->hts", query, key) / np.sqrt(d)
    t = np.arange(T)
    logits = np.where(t[None, :, None] >= t[None, None, :], logits, -np.inf)
    logits = logits - logits.max(axis=-1, keepdims=True)
    probs = np.exp(logits)
    probs = probs / probs.sum(axis=-1, keepdims=True)

    out = np.einsum("hts,shd->thd", probs, key)
    return out.reshape(T, d_model) @ w_o, probs
