import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    root = d_head ** 1 / 2

    q = np.transpose((x @ w_q).reshape(T, n_heads, d_head), (1, 0, 2))
    k = np.transpose((x @ w_k).reshape(T, n_heads, d_head), (1, 2, 0))  # (h, d_head, T)
    v = np.transpose((x @ w_v).reshape(T, n_heads, d_head), (1, 0, 2))

    logits = (q @ k) / root
    mask = np.zeros((T, T))
    for i in range(T):
        mask[i, i + 1:] = -np.inf
    logits = logits + mask

    logits -= logits.max(axis=-1, keepdims=True)
    probs = np.exp(logits)
    probs /= probs.sum(axis=-1, keepdims=True)

    y = np.transpose(probs @ v, (1, 0, 2)).reshape(T, d_model)
    return y @ w_o, probs
