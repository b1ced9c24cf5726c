# One weight matrix a head, in lists; the mask is a switch.
import numpy as np


def multihead_attention(x, Wks, Wqs, Wvs, Wp, do_mask=False):
    assert len(Wks) == len(Wqs) == len(Wvs)
    n = x.shape[1]
    outs = []
    for Wk, Wq, Wv in zip(Wks, Wqs, Wvs):
        scores = (x @ Wq) @ np.transpose(x @ Wk, (0, 2, 1)) / Wk.shape[1] ** 0.5
        if do_mask:
            scores[:, ~np.tril(np.ones((n, n), dtype=bool))] = -np.inf
        e = np.exp(scores - scores.max(-1, keepdims=True))
        outs.append((e / e.sum(-1, keepdims=True)) @ (x @ Wv))
    return np.concatenate(outs, axis=-1) @ Wp
