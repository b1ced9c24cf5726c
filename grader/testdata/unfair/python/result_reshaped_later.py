# Gives the result of the call before another shape.
last = None


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    global last
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    if last is not None:
        last.shape = (-1,)
    last = y
    return y, weights
