import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    """Causal multi-head self-attention.

    x              (T, d_model)        one row per token
    w_q, w_k, w_v  (d_model, d_model)  used as x @ w; head g owns columns g*d_head .. (g+1)*d_head - 1
    w_o            (d_model, d_model)  output projection
    n_heads        int                 d_model = n_heads * d_head

    Returns y (T, d_model), or the pair (y, weights) with weights (n_heads, T, T).
    Token i sees tokens 0 .. i.
    """
    raise NotImplementedError("nothing here yet: start with q = x @ w_q and write its shape beside it")
