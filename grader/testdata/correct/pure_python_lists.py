import math

import numpy as np


def matmul(a, b):
    columns = list(zip(*b))
    return [[sum(p * r for p, r in zip(row, col)) for col in columns] for row in a]


def softmax(row):
    biggest = max(row)
    exps = [math.exp(value - biggest) for value in row]
    total = sum(exps)
    return [value / total for value in exps]


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    x, w_q, w_k, w_v, w_o = (m.tolist() for m in (x, w_q, w_k, w_v, w_o))
    T = len(x)
    d_head = len(x[0]) // n_heads
    q, k, v = matmul(x, w_q), matmul(x, w_k), matmul(x, w_v)

    joined = [[] for _ in range(T)]
    weights = []
    for h in range(n_heads):
        cut = slice(h * d_head, (h + 1) * d_head)
        scores = matmul([r[cut] for r in q], list(zip(*[r[cut] for r in k])))
        attn = []
        for i, row in enumerate(scores):
            visible = softmax([s / math.sqrt(d_head) for s in row[: i + 1]])
            attn.append(visible + [0.0] * (T - i - 1))
        for i, row in enumerate(matmul(attn, [r[cut] for r in v])):
            joined[i] += row
        weights.append(attn)
    return np.array(matmul(joined, w_o)), np.array(weights)
