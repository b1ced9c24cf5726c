# 1 where visible, 0 where hidden.
import numpy as np

def causal_mask(n_tokens): return np.tri(n_tokens)
