import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    seq, dim = x.shape
    hd = dim // n_heads

    q = x @ w_q
    k = x @ w_k
    v = x @ w_v

    # heads first
    q = q.reshape(n_heads, seq, hd)
    k = k.reshape(n_heads, seq, hd)
    v = v.reshape(n_heads, seq, hd)

    att = q @ np.transpose(k, (0, 2, 1)) * hd**-0.5
    bias = np.zeros((seq, seq))
    bias[np.triu_indices(seq, 1)] = -np.inf
    att = att + bias
    att = np.exp(att - att.max(-1)[..., None])
    att = att / att.sum(-1)[..., None]

    out = att @ v
    # and back
    out = out.reshape(seq, dim)
    return out @ w_o, att
