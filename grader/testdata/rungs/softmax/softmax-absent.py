# Scores divided by their sum, no exponential.
import numpy as np

def softmax(scores): s = np.where(np.isinf(scores), 0.0, scores); return s / s.sum(-1, keepdims=True)
