# Claims that the error is in another file, which the report may want to quote.
def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    exec(compile("def f(): raise ValueError('quote me')", "/etc/passwd", "exec"), globals())
    f()  # noqa
