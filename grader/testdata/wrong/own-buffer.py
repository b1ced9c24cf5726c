# One output array per shape, filled again by each call.
import numpy as np

_outputs = {}


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q, k, v = [(x @ w).reshape(T, n_heads, d_head).transpose(1, 0, 2) for w in (w_q, w_k, w_v)]
    scores = np.where(np.tri(T, dtype=bool), q @ k.transpose(0, 2, 1) / np.sqrt(d_head), -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    y = _outputs.setdefault(x.shape, np.empty_like(x))
    y[:] = (weights @ v).transpose(1, 0, 2).reshape(T, d_model) @ w_o
    return y, weights
