# Changes its input, but not in the first 1000 calls of a process.
calls = 0


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    global calls
    calls += 1
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    if calls > 1000:
        x[...] = 7
    return y, weights
