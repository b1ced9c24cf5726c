import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    length, width = x.shape
    size = width // n_heads
    hidden = np.triu(np.ones((length, length), dtype=bool), k=1)

    weights = []
    context = np.zeros((length, width))
    for h in range(n_heads):
        lo, hi = h * size, (h + 1) * size
        q = x @ w_q[:, lo:hi]
        k = x @ w_k[:, lo:hi]
        v = x @ w_v[:, lo:hi]

        sim = q @ k.T * size ** -0.5
        np.where(hidden, -np.inf, sim)

        sim = sim - sim.max(axis=-1, keepdims=True)
        attn = np.exp(sim)
        attn = attn / attn.sum(axis=-1, keepdims=True)
        context[:, lo:hi] = attn @ v
        weights.append(attn)
    return context @ w_o, np.stack(weights)
