import numpy as np

def causal_multi_head_attention(x, w_q, b_q, w_k, b_k, w_v, b_v, w_o, b_o, n_heads):
    T, D = x.shape
    d = D // n_heads
    def heads(m): return m.reshape(T, n_heads, d).transpose(1, 0, 2)
    q, k, v = heads(x @ w_q + b_q), heads(x @ w_k + b_k), heads(x @ w_v + b_v)
    s = q @ k.transpose(0, 2, 1) / np.sqrt(d)
    s[:, ~np.tri(T, dtype=bool)] = -np.inf
    e = np.exp(s - s.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    return (p @ v).transpose(1, 0, 2).reshape(T, D) @ w_o + b_o
