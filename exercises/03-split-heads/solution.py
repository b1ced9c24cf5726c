def split_heads(x, n_heads):
    T, d_model = x.shape
    d_head = d_model // n_heads

    pieces = x.reshape(T, n_heads, d_head)                   # (T, n_heads, d_head) each token's row is cut up
    return pieces.transpose(1, 0, 2)                         # (n_heads, T, d_head)


def merge_heads(heads):
    n_heads, T, d_head = heads.shape

    pieces = heads.transpose(1, 0, 2)                        # (T, n_heads, d_head)
    return pieces.reshape(T, n_heads * d_head)               # (T, d_model) each token's row is joined
