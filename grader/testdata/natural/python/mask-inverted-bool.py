import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    num_tokens, d_out = x.shape
    head_dim = d_out // n_heads

    keys = (x @ w_k).reshape(num_tokens, n_heads, head_dim).transpose(1, 0, 2)
    queries = (x @ w_q).reshape(num_tokens, n_heads, head_dim).transpose(1, 0, 2)
    values = (x @ w_v).reshape(num_tokens, n_heads, head_dim).transpose(1, 0, 2)

    attn_scores = queries @ keys.transpose(0, 2, 1) / head_dim ** 0.5
    mask_bool = np.tril(np.ones((num_tokens, num_tokens))).astype(bool)
    attn_scores[:, mask_bool] = -np.inf

    attn_scores -= attn_scores.max(axis=-1, keepdims=True)
    attn_weights = np.exp(attn_scores)
    attn_weights /= attn_weights.sum(axis=-1, keepdims=True)

    context_vec = (attn_weights @ values).transpose(1, 0, 2).reshape(num_tokens, d_out)
    return context_vec @ w_o, attn_weights
