# Sign flipped (and −∞ kept hidden).
import numpy as np

def softmax(scores): s = np.where(np.isinf(scores), scores, -scores); e = np.exp(s - s.max(-1, keepdims=True)); return e / e.sum(-1, keepdims=True)
