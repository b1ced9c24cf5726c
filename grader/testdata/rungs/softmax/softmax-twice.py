# Softmax of a softmax.
import numpy as np

def softmax(scores): f = lambda s: np.exp(s - s.max(-1, keepdims=True)) / np.exp(s - s.max(-1, keepdims=True)).sum(-1, keepdims=True); return f(f(scores))
