import numpy as np


def stable_softmax(S):
    E = np.exp(S - S.max())
    return E / E.sum(axis=1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n, d = x.shape
    dh = d // n_heads
    causal = np.tril(np.ones((n, n)))
    out = np.zeros((n, d))
    attn = np.zeros((n_heads, n, n))
    for h in range(n_heads):
        c = range(h * dh, (h + 1) * dh)
        q = x @ w_q[:, c]
        k = x @ w_k[:, c]
        v = x @ w_v[:, c]
        S = (q @ k.T) / np.sqrt(dh)
        S[causal == 0] = -np.inf
        attn[h] = stable_softmax(S)
        out[:, c] = attn[h] @ v
    return out @ w_o, attn
