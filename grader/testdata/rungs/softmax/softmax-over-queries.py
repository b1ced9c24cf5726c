# Normalises columns (axis 0); NaN too when a column is all −∞.
import numpy as np

def softmax(scores): e = np.exp(scores - scores.max(0, keepdims=True)); return e / e.sum(0, keepdims=True)
