# Everything spelled out: one loop per index.
import math

import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    n_tokens, d_model = x.shape
    d_head = d_model // n_heads
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    mixed = np.zeros_like(q)
    attn = np.zeros((n_heads, n_tokens, n_tokens), dtype=q.dtype)
    for h in range(n_heads):
        first = h * d_head
        for i in range(n_tokens):
            s = []
            for j in range(i + 1):
                dot = 0.0
                for c in range(first, first + d_head):
                    dot += q[i, c] * k[j, c]
                s.append(dot / math.sqrt(d_head))
            top = max(s)
            e = [math.exp(value - top) for value in s]
            total = sum(e)
            for j in range(i + 1):
                attn[h, i, j] = e[j] / total
                for c in range(first, first + d_head):
                    mixed[i, c] += attn[h, i, j] * v[j, c]
    return mixed @ w_o, attn
