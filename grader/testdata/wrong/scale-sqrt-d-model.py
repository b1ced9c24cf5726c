import numpy as np


def softmax(z):
    z = z - z.max(axis=-1, keepdims=True)
    return np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    seq_len, d_model = x.shape
    d_head = d_model // n_heads

    # project and split into heads
    Q = (x @ w_q).reshape(seq_len, n_heads, d_head).transpose(1, 0, 2)
    K = (x @ w_k).reshape(seq_len, n_heads, d_head).transpose(1, 0, 2)
    V = (x @ w_v).reshape(seq_len, n_heads, d_head).transpose(1, 0, 2)

    # scaled dot product
    scores = np.matmul(Q, K.transpose(0, 2, 1)) / np.sqrt(d_model)

    # causal mask
    mask = np.triu(np.ones((seq_len, seq_len)), k=1).astype(bool)
    scores[:, mask] = -np.inf

    attn = softmax(scores)
    out = np.matmul(attn, V)
    out = out.transpose(1, 0, 2).reshape(seq_len, d_model)
    return out @ w_o, attn
