# Asks for more memory than it may have. Would gain: a machine that swaps, or kills somebody else.
import numpy as np


def attack():
    return np.empty(3 << 30, dtype=np.uint8).size > 0
