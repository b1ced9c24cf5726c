# Leaves nothing of the result of the call before.
last = None


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    global last
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    if last is not None:
        last.resize((0, 0), refcheck=False)
    last = y = y.copy()
    return y, weights
