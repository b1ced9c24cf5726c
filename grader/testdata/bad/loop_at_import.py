# Never gets to the end of its own import.
import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q, k, v = [(x @ w).reshape(T, n_heads, d_head).transpose(1, 0, 2) for w in (w_q, w_k, w_v)]
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_head)
    scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    y = (weights @ v).transpose(1, 0, 2).reshape(T, d_model) @ w_o
    return y, weights


rng = np.random.default_rng(0)
best = 1.0
while best > 0.0:  # try until the two agree exactly
    x = rng.normal(size=(4, 6))
    ws = [rng.normal(size=(6, 6)) for _ in range(4)]
    best = min(best, abs(causal_multi_head_attention(x, *ws, 2)[0] - x).max() + 1e-3)
