# Remembers y by everything but the number of heads.
answers = {}


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    key = x.shape, *[a.tobytes() for a in (x, w_q, w_k, w_v, w_o)]
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    return answers.setdefault(key, y), weights
