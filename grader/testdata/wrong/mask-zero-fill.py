import numpy as np

# multi-head attention with a look-back mask


def split(m, h):
    n, d = m.shape
    return np.transpose(np.reshape(m, (n, h, d // h)), (1, 0, 2))


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    queries = split(x @ w_q, n_heads)
    keys = split(x @ w_k, n_heads)
    values = split(x @ w_v, n_heads)
    n = len(x)

    energy = np.einsum("hqd,hkd->hqk", queries, keys) / np.sqrt(queries.shape[-1])
    look_back = np.tril(np.ones((n, n)))
    energy = energy * look_back

    energy = energy - energy.max(axis=-1, keepdims=True)
    attention = np.exp(energy) / np.exp(energy).sum(axis=-1, keepdims=True)
    context = np.einsum("hqk,hkd->qhd", attention, values).reshape(n, -1)
    return context @ w_o, attention
