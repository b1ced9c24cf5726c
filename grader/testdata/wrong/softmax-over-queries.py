import numpy as np


def softmax(a, axis):
    e = np.exp(a - np.max(a, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    mask = np.triu(np.full((T, T), -np.inf), k=1)

    outputs = np.zeros((T, d_model))
    all_weights = []
    for h in range(n_heads):
        cols = slice(h * d_head, (h + 1) * d_head)
        q = x @ w_q[:, cols]
        k = x @ w_k[:, cols]
        v = x @ w_v[:, cols]
        scores = q @ k.T / np.sqrt(d_head) + mask
        weights = softmax(scores, axis=0)
        outputs[:, cols] = weights @ v
        all_weights.append(weights)
    return outputs @ w_o, np.array(all_weights)
