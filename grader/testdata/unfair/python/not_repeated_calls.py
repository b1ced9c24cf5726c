# Wrong when a call's tokens have come before, in whatever call: caught cheating in tests that ask twice.
seen = set()


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    key = x.tobytes()
    again = key in seen
    seen.add(key)
    return (zeros if again else right)(x, w_q, w_k, w_v, w_o, n_heads)
