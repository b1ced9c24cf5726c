# The largest so far is kept and returned whole.
import numpy as np

def causal_mask(n_tokens, kept=[0]): kept[0] = max(kept[0], n_tokens); return np.triu(np.full((kept[0], kept[0]), -np.inf), 1)
