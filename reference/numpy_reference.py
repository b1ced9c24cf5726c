#!/usr/bin/python3
"""Causal multi-head attention once more, to check attention.hpp against: NumPy, with nothing of its structure.

    numpy_reference.py SEED CASES

One loop over query positions; a token's scores with its own past come from one einsum over heads, so there is no mask at all
and no (T, T) array is ever filled with -inf. Prints each random case with its results, one number a line in hexadecimal:

    case T d_model n_heads d_k d_v d_out        (d_out 0: no output projection)
    x, w_q, w_k, w_v, w_o, weights, y           (row by row)
"""
import sys

import numpy as np


def attention(x, w_q, w_k, w_v, w_o, n_heads):
    """x (T, d_model) -> weights (n_heads, T, T) and y (T, d_out). w_o may be None."""
    n_tokens = len(x)
    q, k, v = (np.stack(np.split(x @ w, n_heads, axis=1), axis=1) for w in (w_q, w_k, w_v))  # (T, n_heads, d)
    weights = np.zeros((n_heads, n_tokens, n_tokens))
    rows = []
    for i in range(n_tokens):
        past = np.einsum("hd,jhd->hj", q[i], k[: i + 1]) * q.shape[-1] ** -0.5  # (n_heads, i + 1)
        log_total = np.logaddexp.reduce(past, axis=1, keepdims=True)  # (n_heads, 1)
        weights[:, i, : i + 1] = np.exp(past - log_total)
        rows.append(np.einsum("hj,jhd->hd", weights[:, i, : i + 1], v[: i + 1]).reshape(-1))  # (n_heads d_v)
    merged = np.stack(rows)  # (T, n_heads d_v)
    return weights, merged if w_o is None else merged @ w_o


def main(seed, cases):
    random = np.random.default_rng(seed)
    for _ in range(cases):
        n_tokens, d_model, d_k, d_v = (int(random.integers(1, top)) for top in (12, 10, 7, 7))
        n_heads, d_out = int(random.integers(1, 5)), int(random.integers(0, 9))
        draw = random.standard_normal
        x = draw((n_tokens, d_model))
        w_q, w_k, w_v = (draw((d_model, n_heads * d)) for d in (d_k, d_k, d_v))
        w_o = draw((n_heads * d_v, d_out)) if d_out else None
        weights, y = attention(x, w_q, w_k, w_v, w_o, n_heads)
        print("case", n_tokens, d_model, n_heads, d_k, d_v, d_out)
        for array in (x, w_q, w_k, w_v, w_o, weights, y):
            if array is not None:
                print("\n".join(float(value).hex() for value in array.ravel()))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
