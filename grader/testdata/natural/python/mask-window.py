import numpy as np

CONTEXT = 4


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n, d = x.shape
    hd = d // n_heads
    q = (x @ w_q).reshape(n, n_heads, hd)
    k = (x @ w_k).reshape(n, n_heads, hd)
    v = (x @ w_v).reshape(n, n_heads, hd)

    att = np.einsum("ihc,jhc->hij", q, k) / np.sqrt(hd)
    i = np.arange(n)[:, None]
    j = np.arange(n)[None, :]
    allowed = (j <= i) & (j > i - CONTEXT)
    att = np.where(allowed, att, -np.inf)

    att = np.exp(att - att.max(axis=-1, keepdims=True))
    att = att / att.sum(axis=-1, keepdims=True)
    y = np.einsum("hij,jhc->ihc", att, v).reshape(n, d) @ w_o
    return y, att
