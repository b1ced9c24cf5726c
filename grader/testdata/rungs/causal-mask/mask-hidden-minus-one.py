# −1 where hidden: a boolean triangle, negated and added.
import numpy as np

def causal_mask(n_tokens): return np.tri(n_tokens) - 1.0
