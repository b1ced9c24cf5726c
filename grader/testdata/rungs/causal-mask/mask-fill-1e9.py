# −1e9 in place of −∞.
import numpy as np

def causal_mask(n_tokens): return np.triu(np.full((n_tokens, n_tokens), -1e9), 1)
