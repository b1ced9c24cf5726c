# One softmax over all T·S scores.
import numpy as np

def softmax(scores): e = np.exp(scores - scores.max()); return e / e.sum()
