# Two arrays for each shape, filled by turns: a result is overwritten by the call after the next.
buffers, calls = {}, 0


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    global calls
    calls += 1
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    kept = buffers.setdefault(y.shape, [np.empty_like(y), np.empty_like(y)])[calls % 2]
    kept[...] = y
    return kept, weights
