# A port of a training code base: a configuration object, and layers that keep their weights (out, in).
import numpy as np


class Linear:
    def __init__(self, n_in, n_out):
        self.weight = np.zeros((n_out, n_in))
        self.bias = np.zeros(n_out)

    def __call__(self, x):
        return x @ self.weight.T + self.bias


class CausalSelfAttention:
    def __init__(self, config):
        self.n_head, self.n_embd = config.n_head, config.n_embd
        self.c_attn = Linear(self.n_embd, 3 * self.n_embd)
        self.c_proj = Linear(self.n_embd, self.n_embd)

    def forward(self, x):
        B, T, C = x.shape
        qkv = self.c_attn(x).reshape(B, T, 3, self.n_head, C // self.n_head).transpose(2, 0, 3, 1, 4)
        q, k, v = qkv
        att = q @ k.transpose(0, 1, 3, 2) * (1.0 / np.sqrt(k.shape[-1]))
        att = np.where(np.tri(T, dtype=bool)[None, None], att, -np.inf)
        att = np.exp(att - att.max(axis=-1, keepdims=True))
        att = att / att.sum(axis=-1, keepdims=True)
        return self.c_proj((att @ v).transpose(0, 2, 1, 3).reshape(B, T, C))
