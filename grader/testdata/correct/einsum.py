import numpy as np


def softmax(s):
    s = s - np.max(s, axis=-1, keepdims=True)
    e = np.exp(s)
    return e / np.sum(e, axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    t, d = x.shape
    h, e = n_heads, d // n_heads
    q = np.einsum("td,dhe->hte", x, w_q.reshape(d, h, e))
    k = np.einsum("td,dhe->hte", x, w_k.reshape(d, h, e))
    v = np.einsum("td,dhe->hte", x, w_v.reshape(d, h, e))
    logits = np.einsum("hie,hje->hij", q, k) / np.sqrt(e)
    logits[:, ~np.tri(t, dtype=bool)] = -np.inf
    a = softmax(logits)
    y = np.einsum("hij,hje,hed->id", a, v, w_o.reshape(h, e, d))
    return y, a
