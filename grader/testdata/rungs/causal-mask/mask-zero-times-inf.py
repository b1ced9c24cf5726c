# Triangle of ones times −∞: 0 · ∞ is NaN where visible.
import numpy as np

def causal_mask(n_tokens): return np.triu(np.ones((n_tokens, n_tokens)), 1) * -np.inf
