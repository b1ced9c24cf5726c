# +∞ where hidden.
import numpy as np

def causal_mask(n_tokens): return np.triu(np.full((n_tokens, n_tokens), np.inf), 1)
