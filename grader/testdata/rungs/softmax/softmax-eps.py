# +1e-6 in the denominator.
import numpy as np

def softmax(scores): e = np.exp(scores - scores.max(-1, keepdims=True)); return e / (e.sum(-1, keepdims=True) + 1e-6)
