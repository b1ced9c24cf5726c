import numpy as np


def one_head(q, k, v, h):
    t = q.shape[0]
    scores = np.dot(q, k.T) / np.sqrt(h)
    mask = np.tril(np.ones((t, t)))
    scores = np.where(mask == 0, -np.inf, scores)
    scores = scores - scores.max(axis=1, keepdims=True)
    w = np.exp(scores)
    w = w / w.sum(axis=1, keepdims=True)
    return np.dot(w, v), w


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    h = n_heads
    d = x.shape[1] // h
    q, k, v = np.dot(x, w_q), np.dot(x, w_k), np.dot(x, w_v)
    results = [one_head(q[:, i * d:(i + 1) * d], k[:, i * d:(i + 1) * d], v[:, i * d:(i + 1) * d], h) for i in range(h)]
    out = np.concatenate([r[0] for r in results], axis=1)
    weights = np.stack([r[1] for r in results], axis=0)
    return np.dot(out, w_o), weights
