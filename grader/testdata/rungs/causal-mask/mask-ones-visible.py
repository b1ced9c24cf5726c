# 1 where visible, −∞ where hidden (harmless after a softmax, but not the mask).
import numpy as np

def causal_mask(n_tokens): return np.where(np.tri(n_tokens, dtype=bool), 1.0, -np.inf)
