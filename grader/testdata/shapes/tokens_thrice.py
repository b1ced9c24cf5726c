# An exercise of a problem site: everything is an argument.
import numpy as np


def softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def multi_head_attention(Q, K, V, W_q, W_k, W_v, W_o, num_heads):
    batch, n, d_model = Q.shape
    shape = (batch, n, num_heads, d_model // num_heads)
    q, k, v = [np.moveaxis((a @ w).reshape(shape), 2, 1) for a, w in ((Q, W_q), (K, W_k), (V, W_v))]
    scores = q @ np.swapaxes(k, 2, 3) / np.sqrt(shape[-1])
    scores += np.triu(np.full((n, n), -np.inf), k=1)
    mixed = np.moveaxis(softmax(scores) @ v, 1, 2)
    return mixed.reshape(batch, n, d_model) @ W_o
