import numpy as np

TILE = 4


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    pad = -T % TILE

    def split(m):
        return m.reshape(-1, n_heads, d_head).transpose(1, 0, 2)

    # keys and values come in whole tiles
    q = split(x @ w_q)
    k = split(np.pad(x @ w_k, ((0, pad), (0, 0))))
    v = split(np.pad(x @ w_v, ((0, pad), (0, 0))))

    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_head)  # (h, T, T + pad)
    scores[:, :, :T] += np.triu(np.full((T, T), -np.inf), 1)

    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    y = (weights @ v).transpose(1, 0, 2).reshape(T, d_model) @ w_o
    return y, weights[:, :, :T]
