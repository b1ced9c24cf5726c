# Returns a part of one buffer that every call fills anew.
buffer = np.zeros(1 << 20)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    kept = buffer[:y.size].reshape(y.shape)
    kept[...] = y
    return kept, weights
