# −∞ replaced by 0, so hidden entries take part.
import numpy as np

def softmax(scores): s = np.where(np.isinf(scores), 0.0, scores); e = np.exp(s - s.max(-1, keepdims=True)); return e / e.sum(-1, keepdims=True)
