import numpy as np


def causal_mask(n_tokens):
    T = n_tokens

    future = np.triu(np.ones((T, T), dtype=bool), k=1)       # (T, T) true where j > i
    return np.where(future, -np.inf, 0.0)                    # (T, T) chosen, not multiplied: 0 · ∞ is not a number
