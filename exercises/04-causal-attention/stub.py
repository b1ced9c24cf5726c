import numpy as np


def causal_attention(x, w_q, w_k, w_v):
    """Causal self-attention with one head.

    x         (T, d_model)    one row per token
    w_q, w_k  (d_model, d_k)  used as x @ w
    w_v       (d_model, d_v)

    Returns y (T, d_v), or the pair (y, weights) with weights (T, T).
    Token i sees tokens 0 .. i.
    """
    raise NotImplementedError("nothing here yet: start with q = x @ w_q and write its shape beside it")
