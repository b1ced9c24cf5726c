"""The same calls without a grader: `bare_loop.py FILE ENTRY CALLS` prints the seconds that the calls take.

CALLS is what `grader_bench record` wrote. The arrays are made before the clock starts; what is timed is the loop that anybody would
write to call a function many times, and nothing is cheaper in this language.
"""

import json
import runpy
import sys
import time

import numpy as np

FORTRAN, STRIDED = 1, 2


def in_order(array, order):
    if order == FORTRAN:
        return np.asfortranarray(array)
    if order == STRIDED:  # every second element of a larger array
        wide = np.zeros([2 * n for n in array.shape])
        view = wide[tuple(slice(None, None, 2) for _ in array.shape)]
        view[...] = array
        return view
    return array


def read_calls(path):
    words = np.fromfile(path, dtype=np.int64)
    numbers = words.view(np.float64)
    at = 0

    def take():
        nonlocal at
        at += 1
        return int(words[at - 1])

    calls = []
    for _ in range(take()):
        order, arguments = take(), []
        for _ in range(take()):
            integer = take()
            shape = tuple(take() for _ in range(take()))
            size = int(np.prod(shape, dtype=np.int64))
            values = numbers[at:at + size].copy()
            at += size
            arguments.append(int(values[0]) if integer else in_order(values.reshape(shape), order))
        calls.append(tuple(arguments))
    return calls


def main():
    path, entry, recorded = sys.argv[1:]
    calls = read_calls(recorded)
    f = runpy.run_path(path)[entry]
    f(*calls[0])
    start = time.perf_counter()
    for arguments in calls:
        f(*arguments)
    print(json.dumps({"calls": len(calls), "seconds": time.perf_counter() - start}))


main()
