# Wrong in the last of the rows, where there are more than sixteen.
def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    if len(x) > 16:
        y[-1] = 0
    return y, weights
