# A thread spoils every answer as soon as it gets the chance, which may be before anybody has looked at it.
import threading

given = []


def spoil():
    while True:
        for y in given[-2:]:
            y[...] = 0


threading.Thread(target=spoil, daemon=True).start()


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    y, weights = right(x, w_q, w_k, w_v, w_o, n_heads)
    given.append(y)
    del given[:-2]
    return y, weights
