# The smallest finite float64 in place of −∞ (most of the time as good, but not −∞).
import numpy as np

def causal_mask(n_tokens): return np.triu(np.full((n_tokens, n_tokens), np.finfo(np.float64).min), 1)
