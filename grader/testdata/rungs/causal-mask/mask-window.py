# Hides the far past as well (W = 3).
import numpy as np

def causal_mask(n_tokens): return np.where(np.tri(n_tokens, dtype=bool) & ~np.tri(n_tokens, k=-3, dtype=bool), 0.0, -np.inf)
