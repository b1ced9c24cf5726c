# Wrong in one call of a hundred, at random.
def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return (zeros if np.random.random() < 0.01 else right)(x, w_q, w_k, w_v, w_o, n_heads)
