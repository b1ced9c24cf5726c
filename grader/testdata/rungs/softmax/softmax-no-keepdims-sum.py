# Row j's sum divides column j; raises when T ≠ S and both exceed 1; (T, T) when S = 1.
import numpy as np

def softmax(scores): e = np.exp(scores - scores.max(-1, keepdims=True)); return e / e.sum(-1)
