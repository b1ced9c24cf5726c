# Made in the first call and returned ever after.
import numpy as np

def causal_mask(n_tokens, kept=[]): kept or kept.append(np.triu(np.full((n_tokens, n_tokens), -np.inf), 1)); return kept[0].copy()
