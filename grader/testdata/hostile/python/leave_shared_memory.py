# Makes a named piece of shared memory. Would gain: the same, and memory that nobody gives back.
from multiprocessing import resource_tracker, shared_memory

resource_tracker.register = lambda name, kind: None  # nobody is to clean up


def attack():
    shared_memory.SharedMemory("hostile-left", True, 1 << 20)
    return True
