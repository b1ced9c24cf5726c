# Subtracts the row's mean: NaN with any −∞, overflow when one score towers.
import numpy as np

def softmax(scores): e = np.exp(scores - scores.mean(-1, keepdims=True)); return e / e.sum(-1, keepdims=True)
