import numpy as np


class Linear:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, x):
        return x @ self.weight


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    to_q, to_k, to_v, to_out = Linear(w_q), Linear(w_k), Linear(w_v), Linear(w_o.T)
    n, dim = x.shape
    dh = dim // n_heads

    q, k, v = [f(x).reshape(n, n_heads, dh).transpose(1, 0, 2) for f in (to_q, to_k, to_v)]
    sim = q @ k.transpose(0, 2, 1) * dh ** -0.5
    sim = np.where(np.triu(np.ones((n, n)), 1).astype(bool), -np.inf, sim)
    sim = sim - sim.max(axis=-1, keepdims=True)
    attn = np.exp(sim) / np.exp(sim).sum(axis=-1, keepdims=True)
    out = (attn @ v).transpose(1, 0, 2).reshape(n, dim)
    y = to_out(out)
    return y, attn
