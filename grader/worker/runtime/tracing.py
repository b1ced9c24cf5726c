"""Which values the variables of a submission take during one call, line by line. Part of worker.py.

Only frames of the submission's own file are followed. A call that is followed is slow, and can notice it: the grader judges nothing
by it. What is written down is bounded by counts, never by time; at a bound it ends silently.
"""

import sys

try:
    import numpy as np
except ImportError:
    np = None

# Built-ins too: a submission may assign to them.
(BaseException, bytes, id, len, list, map, min, str, tuple, type, zip) = (BaseException, bytes, id, len, list, map, min, str, tuple, type, zip)
_settrace, _frame = sys.settrace, sys._getframe
ndarray = np.ndarray if np else None
FLOAT64 = np.float64 if np else None
_stack = np.stack if np else None

ASSIGNED, CHANGED, ARGUMENT, RETURNED = 0, 1, 2, 3
MAX_SNAPSHOTS, MAX_BYTES, MAX_NAME, MAX_RANK = 1200, 1 << 19, 80, 4
MAX_SIZE, MAX_TOGETHER = 4096, 64  # numbers of one value; arrays in one list
MAX_EVENTS, MAX_LOOKS = 8000, 60000  # lines, calls and returns; looks at a variable
GENERATOR = 0x20  # of a code object's flags


def is_plain(value):
    return type(value) is ndarray and value.dtype.kind == "f" and 0 < value.ndim <= MAX_RANK and 0 < value.size <= MAX_SIZE


def arrays_of(value):
    """The arrays that a value is made of: one, or equally shaped ones in a list. Empty: it is something else."""
    kind = type(value)
    if kind is ndarray:
        return (value,) if is_plain(value) else ()
    if (kind is list or kind is tuple) and 0 < len(value) <= MAX_TOGETHER:
        parts = tuple(value)
        for part in parts:
            if not is_plain(part) or part.ndim >= MAX_RANK or part.shape != parts[0].shape:
                return ()
        return parts if len(parts) * parts[0].size <= MAX_SIZE else ()
    return ()


def short(text):
    return text.encode("utf-8", "replace")[:MAX_NAME] if type(text) is str else b""


class Recorder:
    def __init__(self, file, snapshots):
        self.file, self.snapshots = file, snapshots
        self.frames = {}  # id -> [frame, last line, {name: (value, its arrays, their bytes, where its last snapshot is)}]
        self.n_bytes = self.n_events = self.n_looks = 0
        self.is_over = False

    def stop(self):
        self.is_over = True
        self.frames = {}
        _settrace(None)

    def write(self, event, line, name, function, value, parts):
        array = parts[0] if type(value) is ndarray else _stack(parts)
        array = array.astype(FLOAT64)  # a copy
        name, function = short(name), short(function)
        self.n_bytes += 8 * array.size + 300
        if self.n_bytes > MAX_BYTES or len(self.snapshots) >= MAX_SNAPSHOTS:
            self.stop()
            return -1
        self.snapshots.append((event, line, name, function, array))
        return len(self.snapshots) - 1

    def look(self, state, event, line):
        frame, seen = state[0], state[2]
        function = frame.f_code.co_name
        for name, value in list(frame.f_locals.items()):
            self.n_looks += 1
            if type(name) is not str or name[:1] == ".":
                continue
            parts = arrays_of(value)
            if not parts:
                continue
            now = b"".join([part.tobytes() for part in parts])
            old = seen.get(name)
            same = old is not None and old[0] is value and len(old[1]) == len(parts)
            if same and old[2] == now:
                continue
            at = -1
            if event is not None:
                what = CHANGED if same else event
                at = self.write(what, line, name, function, value, parts)
                if self.is_over:
                    return
                # A loop that fills an array counts once, when it is full.
                if what == CHANGED and old[3] >= 0 and self.snapshots[old[3]] is not None:
                    before = self.snapshots[old[3]]
                    if before[0] == CHANGED and before[1] == line:
                        self.n_bytes -= 8 * before[4].size + 300
                        self.snapshots[old[3]] = None
            seen[name] = (value, parts, now, at)

    def on_call(self, frame, event, _):
        try:
            if self.is_over or frame.f_code.co_filename != self.file:
                return None
            state = self.frames.get(id(frame))
            if state is None:
                caller = frame.f_back
                inside = caller is not None and caller.f_code.co_filename == self.file
                state = self.frames[id(frame)] = [frame, frame.f_lineno, {}]
                self.look(state, ARGUMENT if inside else None, caller.f_lineno if inside else frame.f_lineno)
            return None if self.is_over else self.on_line
        except BaseException:
            self.stop()
            return None

    def on_line(self, frame, event, value):
        try:
            self.n_events += 1
            if self.is_over or self.n_events > MAX_EVENTS or self.n_looks > MAX_LOOKS:
                self.stop()
                return None
            state = self.frames.get(id(frame))
            if state is None:
                return None
            if event == "line" or event == "return":
                self.look(state, ASSIGNED, state[1])
                state[1] = frame.f_lineno
            if event == "return" and not self.is_over:
                name = frame.f_code.co_name
                if name[:1] != "<" or name == "<lambda>":
                    self.returned(frame.f_lineno, name, value)
                if not frame.f_code.co_flags & GENERATOR:  # what yields comes back
                    self.frames.pop(id(frame), None)
            return None if self.is_over else self.on_line
        except BaseException:
            self.stop()
            return None

    def returned(self, line, name, value):
        """One array, one for each head in a list, or several results in a tuple."""
        parts = arrays_of(value)
        if parts and type(value) is not tuple:
            self.write(RETURNED, line, name, name, value, parts)
        elif type(value) is tuple and len(value) <= MAX_TOGETHER:
            for one in value:
                parts = arrays_of(one)
                if parts and not self.is_over:
                    self.write(RETURNED, line, name, name, one, parts)


def recording(entry, file, snapshots):
    """A function that calls the entry and writes down what happens in it: (event, line, name, function, array) one after another."""
    recorder = Recorder(file, snapshots)

    def function(*arguments):
        _settrace(recorder.on_call)
        try:
            return entry(*arguments)
        finally:
            _settrace(None)
            recorder.is_over = True
            recorder.frames = {}
            snapshots[:] = [one for one in snapshots if one is not None]

    return function
