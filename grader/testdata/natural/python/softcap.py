import numpy as np

SOFTCAP = 30.0


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, D = x.shape
    hd = D // n_heads
    q = (x @ w_q).reshape(T, n_heads, hd)
    k = (x @ w_k).reshape(T, n_heads, hd)
    v = (x @ w_v).reshape(T, n_heads, hd)
    logits = np.einsum("thd,shd->hts", q, k) * hd ** -0.5
    capped = SOFTCAP * np.tanh(logits / SOFTCAP)
    capped = np.where(np.tril(np.ones((T, T), bool)), capped, -np.inf)
    probs = np.exp(capped - capped.max(-1, keepdims=True))
    probs = probs / probs.sum(-1, keepdims=True)
    out = np.einsum("hts,shd->thd", probs, v).reshape(T, D)
    return out @ w_o, probs
