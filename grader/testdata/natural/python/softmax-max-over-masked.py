import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    q = np.swapaxes((x @ w_q).reshape(T, n_heads, d_head), 0, 1)
    k = np.swapaxes((x @ w_k).reshape(T, n_heads, d_head), 0, 1)
    v = np.swapaxes((x @ w_v).reshape(T, n_heads, d_head), 0, 1)

    logits = q @ np.swapaxes(k, 1, 2) / np.sqrt(d_head)
    logits = logits - logits.max(axis=-1, keepdims=True)  # for stability

    keep = np.tril(np.ones((T, T), dtype=bool))
    e = np.where(keep, np.exp(logits), 0.0)
    probs = e / e.sum(axis=-1, keepdims=True)

    out = np.swapaxes(probs @ v, 0, 1).reshape(T, d_model)
    return out @ w_o, probs
