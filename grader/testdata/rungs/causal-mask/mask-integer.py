# −1000000000 in an array of integers.
import numpy as np

def causal_mask(n_tokens): return np.triu(np.full((n_tokens, n_tokens), -1000000000), 1)
