import numpy as np


def softmax(z):
    z = z - np.max(z, axis=-1, keepdims=True)
    ez = np.exp(z)
    return ez / np.sum(ez, axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    seq_len, dim = x.shape
    queries = np.split(x @ w_q, n_heads, axis=1)
    keys = np.split(x @ w_k, n_heads, axis=1)
    values = np.split(x @ w_v, n_heads, axis=1)

    future = np.triu(np.ones((seq_len, seq_len)), k=1).astype(bool)

    outputs = []
    attentions = []
    for query, key, value in zip(queries, keys, values):
        logits = query @ key.T  # (seq_len, seq_len)
        logits[future] = -np.inf
        attention = softmax(logits)
        outputs.append(attention @ value)
        attentions.append(attention)

    return np.hstack(outputs) @ w_o, np.array(attentions)
