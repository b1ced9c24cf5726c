import numpy as np


def softmax(a):
    e = np.exp(a - a.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q = np.dot(x, w_q)
    k = np.dot(x, w_k)
    v = np.dot(w_v, x.T).T  # (T, d_model)

    q, k, v = (m.reshape(T, n_heads, d_head).transpose(1, 0, 2) for m in (q, k, v))
    scores = np.matmul(q, k.transpose(0, 2, 1)) / np.sqrt(d_head)
    scores += np.triu(np.full((T, T), -np.inf), 1)
    att = softmax(scores)
    return np.matmul(att, v).transpose(1, 0, 2).reshape(T, d_model) @ w_o, att
