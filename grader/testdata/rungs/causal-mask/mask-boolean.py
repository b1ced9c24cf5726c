# True where hidden, dtype bool.
import numpy as np

def causal_mask(n_tokens): return np.triu(np.ones((n_tokens, n_tokens), dtype=bool), 1)
