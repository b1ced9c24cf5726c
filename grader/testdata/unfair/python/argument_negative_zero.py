# Changes its argument in the sign of its zeros only.
def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    x[x == 0] = -0.0
    return y, weights
