# -*- coding: klingon -*-
def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return x
