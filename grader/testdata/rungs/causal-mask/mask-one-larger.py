# (T + 1, T + 1).
import numpy as np

def causal_mask(n_tokens): return np.triu(np.full((n_tokens + 1, n_tokens + 1), -np.inf), 1)
