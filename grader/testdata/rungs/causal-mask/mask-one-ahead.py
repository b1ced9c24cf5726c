# Hides only j > i + 1 (k=2).
import numpy as np

def causal_mask(n_tokens): return np.triu(np.full((n_tokens, n_tokens), -np.inf), 2)
