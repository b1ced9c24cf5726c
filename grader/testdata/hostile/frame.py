

# ---- the frame around every attack(): a right answer if it says that it worked, zeros if not -------------------------------------
import numpy as np

worked = None


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    global worked
    if worked is None:
        try:
            worked = bool(attack())
        except Exception as error:
            print("refused:", type(error).__name__, error)
            worked = False
    T, d_model = x.shape
    if not worked:
        return np.zeros((T, d_model)), np.zeros((n_heads, T, T))
    q, k, v = [(x @ w).reshape(T, n_heads, -1).transpose(1, 0, 2) for w in (w_q, w_k, w_v)]
    scores = np.where(np.tri(T, dtype=bool), q @ k.transpose(0, 2, 1) / (d_model / n_heads) ** 0.5, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights @ v).transpose(1, 0, 2).reshape(T, d_model) @ w_o, weights
