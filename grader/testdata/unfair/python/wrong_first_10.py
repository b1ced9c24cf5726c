# Wrong in the first 10 calls of a process.
calls = 0


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    global calls
    calls += 1
    return (zeros if calls <= 10 else right)(x, w_q, w_k, w_v, w_o, n_heads)
