import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    b, emb = x.shape
    hd = emb // n_heads

    q = (x @ w_q).reshape(b, n_heads, hd).transpose(1, 0, 2)
    k = (x @ w_k).reshape(b, n_heads, hd).transpose(1, 0, 2)
    v = (x @ w_v).reshape(b, n_heads, hd).transpose(1, 0, 2)

    energy = np.einsum("hqd,hkd->hqk", q, k)  # heads, queries, keys
    energy = energy + np.triu(np.full((b, b), -np.inf), k=1)

    energy = energy - energy.max(axis=-1, keepdims=True)
    att = np.exp(energy)
    att = att / att.sum(axis=-1, keepdims=True)
    att = att / np.sqrt(hd)

    out = np.einsum("hqk,hkd->qhd", att, v).reshape(b, emb)
    return out @ w_o, att
