# The class of an encoder-decoder: a batch, and a mask from outside that says what may be seen.
import numpy as np


class MultiHeadAttention:
    def __init__(self, d_model, num_heads):
        assert d_model % num_heads == 0
        self.h, self.width = num_heads, d_model // num_heads
        self.W_q = np.random.randn(d_model, d_model)
        self.W_k = np.random.randn(d_model, d_model)
        self.W_v = np.random.randn(d_model, d_model)
        self.W_o = np.random.randn(d_model, d_model)

    def split(self, a):
        batch, n, _ = a.shape
        return a.reshape(batch, n, self.h, self.width).transpose(0, 2, 1, 3)

    def forward(self, x, mask=None):
        batch, n, d_model = x.shape
        q, k, v = self.split(x @ self.W_q), self.split(x @ self.W_k), self.split(x @ self.W_v)
        scores = np.matmul(q, k.transpose(0, 1, 3, 2)) / np.sqrt(self.width)
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        a = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
        a = a / np.sum(a, axis=-1, keepdims=True)
        out = np.matmul(a, v).transpose(0, 2, 1, 3).reshape(batch, n, d_model)
        return out @ self.W_o, a
