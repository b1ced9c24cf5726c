import numpy as np

CHUNK = 8


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    t, dm = x.shape
    dh = dm // n_heads
    q = (x @ w_q).reshape(t, n_heads, dh).swapaxes(0, 1)
    k = (x @ w_k).reshape(t, n_heads, dh).swapaxes(0, 1)
    v = (x @ w_v).reshape(t, n_heads, dh).swapaxes(0, 1)
    outs, ws = [], []
    for start in range(0, t, CHUNK):
        qc = q[:, start:start + CHUNK]
        s = np.einsum("hid,hjd->hij", qc, k) / np.sqrt(dh)
        rows, cols = s.shape[1:]
        s = np.where(np.tri(rows, cols, dtype=bool), s, -np.inf)
        p = np.exp(s - s.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        outs.append(p @ v)
        ws.append(p)
    y = np.concatenate(outs, axis=1).swapaxes(0, 1).reshape(t, dm) @ w_o
    return y, np.concatenate(ws, axis=1)
