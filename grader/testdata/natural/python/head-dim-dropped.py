import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d_model = x.shape
    d = d_model // n_heads
    Q, K, V = x @ w_q, x @ w_k, x @ w_v

    A = np.zeros((n_heads, T, T))
    Z = np.zeros((T, d_model))
    for h in range(n_heads):
        first, last = h * d, (h + 1) * d - 1
        for i in range(T):
            dots = np.zeros(i + 1)
            for j in range(i + 1):
                dots[j] = np.dot(Q[i, first:last], K[j, first:last])
            dots = dots / np.sqrt(d)
            e = np.exp(dots - dots.max())
            A[h, i, :i + 1] = e / e.sum()
        Z[:, first:last + 1] = A[h] @ V[:, first:last + 1]
    return Z @ w_o, A
