# The first token stays hidden from all others (starts at column 1).
import numpy as np

def causal_mask(n_tokens): m = np.triu(np.full((n_tokens, n_tokens), -np.inf), 1); m[1:, 0] = -np.inf; return m
