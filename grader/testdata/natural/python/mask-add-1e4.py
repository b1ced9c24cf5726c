import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q, k, v = [
        (x @ w).reshape(T, n_heads, d_head).transpose(1, 0, 2)
        for w in (w_q, w_k, w_v)
    ]

    attention_mask = np.tril(np.ones((T, T)))
    bias = (1.0 - attention_mask) * -10000.0

    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_head)
    scores = scores + bias
    scores = scores - scores.max(axis=-1, keepdims=True)
    probs = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)

    context = (probs @ v).transpose(1, 0, 2).reshape(T, d_model)
    return context @ w_o, probs
