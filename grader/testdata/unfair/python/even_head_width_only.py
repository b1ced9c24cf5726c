# Right where d_head is even or 1.
def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    d_head = x.shape[1] // n_heads
    return (right if d_head == 1 or d_head % 2 == 0 else zeros)(x, w_q, w_k, w_v, w_o, n_heads)
