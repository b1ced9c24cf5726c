# As many threads as there is room for. Would gain: a machine that does nothing else.
import threading
import time


def attack():
    for _ in range(10000):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
