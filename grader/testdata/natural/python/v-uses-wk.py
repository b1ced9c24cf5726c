import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    hd = d_model // n_heads
    causal = np.tril(np.ones((T, T)))

    weights, heads = [], []
    for h in range(n_heads):
        start, end = h * hd, (h + 1) * hd
        q = x @ w_q[:, start:end]
        k = x @ w_k[:, start:end]
        v = x @ w_k[:, start:end]

        scores = q @ k.T / np.sqrt(hd)
        scores = np.where(causal, scores, -np.inf)
        scores = scores - scores.max(axis=-1, keepdims=True)
        a = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)

        weights.append(a)
        heads.append(a @ v)

    return np.concatenate(heads, axis=-1) @ w_o, np.stack(weights)
