import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n, d = x.shape
    split = lambda m: m.reshape(n, n_heads, d // n_heads).transpose(1, 0, 2)
    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)

    scores = np.einsum("hid,hjd->hij", k, q)
    scores = scores / np.sqrt(d // n_heads)
    scores = np.where(np.tril(np.ones((n, n))) > 0, scores, -np.inf)

    scores = scores - np.amax(scores, axis=2, keepdims=True)
    att = np.exp(scores)
    att = att / np.sum(att, axis=2, keepdims=True)

    out = np.einsum("hij,hjd->ihd", att, v).reshape(n, d)
    return out @ w_o, att
