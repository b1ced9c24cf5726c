# Returns log-softmax.
import numpy as np

def softmax(scores): s = scores - scores.max(-1, keepdims=True); return s - np.log(np.exp(s).sum(-1, keepdims=True))
