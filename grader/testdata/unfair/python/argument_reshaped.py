# Gives its argument another shape, which stays.
def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    if x.flags.c_contiguous:
        x.shape = (x.shape[0], n_heads, -1)
    return y, weights
