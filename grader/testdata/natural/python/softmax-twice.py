import numpy as np


def softmax(z):
    z = np.exp(z - z.max(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


def attention_weights(q, k):
    n, d = q.shape
    scores = q @ k.T / np.sqrt(d)
    scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)
    return softmax(scores)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    d = x.shape[1] // n_heads
    context, weights = [], []
    for h in range(n_heads):
        part = slice(h * d, (h + 1) * d)
        scores = attention_weights(x @ w_q[:, part], x @ w_k[:, part])
        probs = softmax(scores)
        context.append(probs @ (x @ w_v[:, part]))
        weights.append(probs)
    return np.concatenate(context, axis=1) @ w_o, np.stack(weights)
