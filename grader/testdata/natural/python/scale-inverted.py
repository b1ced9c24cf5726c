import numpy as np


class MultiHead:
    def __init__(self, w_q, w_k, w_v, w_o, n_heads):
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.n_heads = n_heads
        self.head_dim = w_q.shape[1] // n_heads
        self.scale = self.head_dim ** 0.5

    def heads(self, m):
        return m.reshape(len(m), self.n_heads, self.head_dim).swapaxes(0, 1)

    def __call__(self, x):
        n = len(x)
        q, k, v = self.heads(x @ self.w_q), self.heads(x @ self.w_k), self.heads(x @ self.w_v)
        att = (q @ k.swapaxes(-1, -2)) * self.scale
        i = np.arange(n)
        att = np.where(i[:, None] >= i[None, :], att, -np.inf)
        att = np.exp(att - att.max(-1, keepdims=True))
        att = att / att.sum(-1, keepdims=True)
        z = (att @ v).swapaxes(0, 1).reshape(n, -1)
        return z @ self.w_o, att


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return MultiHead(w_q, w_k, w_v, w_o, n_heads)(x)
