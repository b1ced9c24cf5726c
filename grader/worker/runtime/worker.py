"""Runs one Python submission for the grader: tensors in, tensors out.

    python3 -I worker.py PATH NAME DTYPE PACKAGES REFUSED EXERCISE/ENTRY:PARAMETERS:RESULTS[+ENTRY:PARAMETERS:RESULTS][|PLAN] ...

PACKAGES and REFUSED are names of modules with commas between them; one word for each exercise that it may be for, and for each way in which that may be called. PLAN is JSON, for called_as() in calling.py.

This process imports NumPy and forks (sandbox/zygote.hpp); only a child loads the submission, and answers. The bytes that pass are described in wire.hpp, whose structures and numbers are repeated here. Nothing in this process knows
what the right answer is, and the grader believes nothing that comes from it but numbers, whose lengths it checks. Whatever is
needed after the submission has run is bound to a name here before, so that a submission that replaces parts of NumPy or of
the standard library breaks its own answer only.
"""

import faulthandler
import inspect
import io
import linecache
import mmap
import os
import struct
import sys
import time
import tokenize
import traceback
import types
import _thread

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # our own folder, which -I leaves out
import calling
import forking
import results
import tracing
del sys.path[0]
for module in (calling, forking, results, tracing):  # not for a submission to import
    del sys.modules[module.__name__]

try:
    import numpy as np
except ImportError:
    np = None

# Built-ins too: a submission may assign to them.
(bytearray, bytes, callable, enumerate, float, getattr, int, isinstance, len, list, memoryview, min, range, slice, str, tuple, type, zip) = (
    bytearray, bytes, callable, enumerate, float, getattr, int, isinstance, len, list, memoryview, min, range, slice, str, tuple, type, zip)
(BaseException, MemoryError, NotImplementedError, SyntaxError, SystemExit) = (
    BaseException, MemoryError, NotImplementedError, SyntaxError, SystemExit)
FLOAT64_DTYPE = np.dtype(np.float64) if np else None
_read, _write, _exit = os.read, os.write, os._exit
_format_exception, _format_exception_only = traceback.format_exception, traceback.format_exception_only

MAGIC = 0x0003545345545441
HELLO, REQUEST, REQUEST_IN_MEMORY, ANSWER, DONE = 1, 2, 3, 4, 5
ANSWERED, RAISED, UNFINISHED, OUT_OF_MEMORY, EXITED, WRONG_TYPE, WRONG_SHAPE = results.STATUSES
IMPORT_ERROR, NO_ENTRY, WRONG_SIGNATURE, NO_NUMPY, NO_WALLS = 7, 8, 9, 10, 11
INTEGER, FLOAT64 = 0, 1
FORTRAN, STRIDED, SAME_ARRAYS = 1, 2, 3
REQUEST_AREA, REPLY_AREA, REQUEST_PIPE, REPLY_PIPE = 3, 4, 5, 6
MOST_CALLABLES = 100  # in a message
MAX_RANK, MAX_TEXT = results.MAX_RANK, 16 << 10
MOST_NUMBERS = 4 << 20  # that an answer may have
RESULTS_LOOKED_BACK = 4  # calls

MESSAGE = struct.Struct("=5Q")
ANSWER_HEADER = struct.Struct("=11q")
ANSWER_HEADER_BYTES = 88
ARRAY_HEADER = struct.Struct("=8q")
HELLO_HEADER = struct.Struct("=4q")
QUESTION_HEADER = struct.Struct("=5q")
SNAPSHOT_HEADER = struct.Struct("=4q")
LENGTH = struct.Struct("=q")
MEMORY_HEADER_BYTES = 64

NAME = ""  # of the submission: its base name, as tracebacks show it


def padded(n):
    return (n + 7) // 8 * 8


def read_exactly(n):
    parts = []
    while n > 0:
        part = _read(REQUEST_PIPE, n if n < 1 << 20 else 1 << 20)
        if not part:
            _exit(0)  # the grader has finished
        parts.append(part)
        n -= len(part)
    return b"".join(parts)


def send(kind, nonce, count, payload=b"", size=None):
    head = MESSAGE.pack(MAGIC, kind, nonce, len(payload) if size is None else size, count)
    for part in (head, payload):
        rest = memoryview(part)
        while len(rest):
            rest = rest[_write(REPLY_PIPE, rest):]


def utf8(text):
    data = text.encode("utf-8", "replace")
    if len(data) > MAX_TEXT:
        half = MAX_TEXT // 2 - 16
        data = data[:half] + b"\n[... cut ...]\n" + data[-half:]
    return data


def hello(status, entry=-1, fault=("", 0, ""), facts=()):
    message, line, trace = fault
    texts = [message, NAME if line else "", trace]
    for key, value in facts:
        texts += [key, value]
    payload = bytearray(HELLO_HEADER.pack(status, line, entry, len(texts)))
    for text in texts:
        data = utf8(text)
        payload += LENGTH.pack(len(data)) + data + bytes(padded(len(data)) - len(data))
    send(HELLO, 0, 0, bytes(payload))


def explain(error):
    """(message, line, traceback) of an exception, starting at the submission's own first frame."""
    if isinstance(error, SyntaxError) and error.filename == NAME:
        return f"{type(error).__name__}: {error.msg}", error.lineno or 0, "".join(_format_exception_only(type(error), error))
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename != NAME:
        frames = frames.tb_next
    line, step = 0, frames
    while step is not None:  # the deepest frame inside the submission, not inside NumPy
        if step.tb_frame.f_code.co_filename == NAME:
            line = step.tb_lineno
        step = step.tb_next
    try:
        text = str(error)
    except BaseException:
        text = "(its text could not be made)"
    try:
        trace = "".join(_format_exception(type(error), error, frames))
    except BaseException:
        trace = ""
    return type(error).__name__ + (": " + text if text else ""), line, trace


def status_of(error):
    if isinstance(error, NotImplementedError):
        return UNFINISHED
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    if isinstance(error, SystemExit):
        return EXITED
    return RAISED


def load(source):
    # Decoded here and strictly, as running the file would: compile() lets broken bytes in comments pass.
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as error:
        hint = "; save it as UTF-8" if "invalid or missing" in str(error) else ""
        raise SyntaxError(str(error) + hint, (NAME, 1, 1, "")) from None
    try:
        lines = source.decode(encoding).splitlines(keepends=True)
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        text = f"the file is not {encoding}: byte {error.object[error.start]:#04x} in line {line}"
        raise SyntaxError(text, (NAME, line, 1, "")) from None
    linecache.cache[NAME] = (len(source), None, lines, NAME)  # tracebacks show the lines without finding the file
    module = types.ModuleType("submission")
    module.__file__ = NAME
    sys.modules["submission"] = module  # dataclasses and pickle look there
    exec(compile(source, NAME, "exec", dont_inherit=True), module.__dict__)
    return module


class OtherPackages:
    """Finds nothing: stands before the finders, so that what is installed beside the allowed packages is as if it were not there."""

    def __init__(self, allowed):
        self.allowed = allowed

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in self.allowed and not top.startswith("_sysconfigdata"):
            raise ModuleNotFoundError(f"No module named '{top}'", name=top)


def callables(module):
    """Name and parameters of the functions that the module defines itself, for a message."""
    found = []
    for name, value in list(vars(module).items()):
        if callable(value) and getattr(value, "__module__", None) == "submission" and not name.startswith("__"):
            try:
                parameters = ", ".join(inspect.signature(value).parameters)
            except BaseException:  # a __signature__ of its own may raise anything
                parameters = "..."
            found.append(f"{name}({parameters})")
    return found[:MOST_CALLABLES]


def blas():
    """The linear-algebra library that is really mapped, e.g. "libopenblas.so.0"."""
    try:
        with open("/proc/self/maps") as maps:
            names = {line.split("/")[-1].strip() for line in maps if "blas" in line or "mkl" in line}
        libraries = sorted(name for name in names if ".so" in name and not name.startswith("_"))
        return ", ".join(libraries)
    except OSError:
        return ""


# ---- the loop ----------------------------------------------------------------------------------------------------------------


def serve(calls, least_bytes):
    # Everything the loop uses, as local names: out of the submission's reach, and quick.
    float64, float32, ndarray, generic = np.float64, np.float32, np.ndarray, np.generic
    frombuffer, asfortranarray, full, nan = np.frombuffer, np.asfortranarray, np.full, np.nan
    stdout_of, join, results_of = sys.__dict__.get, b"".join, results.results_of
    other_threads, chance, sleep, references = _thread._count, os.urandom, time.sleep, sys.getrefcount
    question_header, read_array_header = QUESTION_HEADER.unpack_from, ARRAY_HEADER.unpack_from
    array_header, answer_header = ARRAY_HEADER.pack, ANSWER_HEADER.pack
    float64_dtype, no_dims, no_texts = FLOAT64_DTYPE, (0,) * MAX_RANK, (b"", b"", b"")

    try:
        request_area = mmap.mmap(REQUEST_AREA, os.fstat(REQUEST_AREA).st_size, mmap.MAP_SHARED, mmap.PROT_READ)
        reply_area = mmap.mmap(REPLY_AREA, os.fstat(REPLY_AREA).st_size)
        request_numbers = frombuffer(request_area, float64)
        area = memoryview(reply_area)
        hint = area[:MEMORY_HEADER_BYTES].cast("Q")
        room = len(reply_area) - MEMORY_HEADER_BYTES
    except (OSError, ValueError):  # no such descriptors: everything goes through the pipes
        request_numbers = area = hint = None
        room = 0

    def arrange(array, order):
        if order == FORTRAN:
            return asfortranarray(array)
        if order == STRIDED:
            # Every second element of a larger array; what lies between must never be read.
            larger = full([2 * n for n in array.shape], nan, array.dtype)
            view = larger[(slice(None, None, 2),) * array.ndim]
            view[...] = array
            return view
        return array

    def refilled(old, new):
        if type(new) is int or type(old) is int or old.shape != new.shape or old.dtype is not new.dtype or not old.flags.writeable:
            return new
        old[...] = new
        return old

    heads = {}  # what stands before an array, by its shape: most are of a few
    pairs = {}  # of two results: what stands before each, and how long they are

    def put_arrays(parts, arrays):
        for value in arrays:
            if type(value) is int:
                parts.append(array_header(INTEGER, 0, 8, *no_dims) + LENGTH.pack(value))
                continue
            head = heads.get(value.shape)
            if head is None:
                if value.ndim > MAX_RANK:  # it has been given another shape since
                    value = value.ravel()
                heads[value.shape] = head = array_header(FLOAT64, value.ndim, 8 * value.size, *value.shape, *no_dims[value.ndim:])
            parts.append(head)
            # Row by row, whatever its memory order.
            parts.append(value.tobytes() if value.dtype is float64_dtype else value.astype(float64).tobytes())

    def put_texts(parts, texts):
        for text in texts:
            parts.append(text + bytes(padded(len(text)) - len(text)))

    arena = None if request_numbers is None else np.empty(request_numbers.size)
    unused = references(arena)
    kept = [()] * RESULTS_LOOKED_BACK  # the very arrays
    while True:
        _, kind, nonce, size, count = MESSAGE.unpack(read_exactly(40))
        # One fresh, writable copy a request: arguments never alias an earlier or a later one that somebody still holds. Where nobody
        # does they take its place: who remembers answers by where the numbers lay meets other numbers there.
        arguments = last = questions = block = raw = words = where = tensor = tensors = returned = arrays = previous = old_y = old_weights = y = weights = None
        if kind == REQUEST_IN_MEMORY:
            if arena is not None and references(arena) > unused:
                arena = None  # from now on each has its own
            if arena is None:
                block = request_numbers[:size >> 3].copy()
            else:
                block = arena[:size >> 3]
                block[:] = request_numbers[:size >> 3]
        else:
            block = frombuffer(bytearray(read_exactly(size)), float64)
        raw = memoryview(block)
        words = raw.cast("B").cast("q")
        p = at = in_memory = 0
        through_pipe = room == 0
        # All are read before the first is called: each of the two loops then stays in the processor's caches.
        questions = []
        for _ in range(count):
            _, order, call, n_arguments, trace = question_header(raw, 8 * p)
            p += 5
            first, arguments, tensors, shapes = p, [], [], []
            for _ in range(n_arguments):
                element, rank, n_bytes, d0, d1, d2, d3, d4 = read_array_header(raw, 8 * p)
                p += 8
                if element == INTEGER:
                    arguments.append(words[p])
                else:
                    shape = (d0, d1) if rank == 2 else (d0, d1, d2, d3, d4)[:rank]
                    tensor = ndarray(shape, float64_dtype if element == FLOAT64 else float32, block, 8 * p)
                    arguments.append(tensor)
                    tensors.append(tensor)
                    shapes.append(shape)
                p += (n_bytes + 7) >> 3
            if order:
                arguments = [a if type(a) is int else arrange(a, order) for a in arguments]
            questions.append((calls[call], arguments, trace, None if order else raw[first:p], tensors, shapes, order == SAME_ARRAYS))
        for index in range(count):
            (entry, names), arguments, trace, where, tensors, shapes, in_same_arrays = questions[index]
            questions[index] = None
            if in_same_arrays and last is not None and len(last) == len(arguments):
                arguments = [refilled(old, new) for old, new in zip(last, arguments)]
            last = arguments
            snapshots = ()
            if trace:
                snapshots = []
                entry = tracing.recording(entry, NAME, snapshots)

            pair = None
            status, line, texts, arrays = ANSWERED, 0, no_texts, ()
            try:
                returned = entry(*arguments)
                if type(returned) is tuple and len(returned) == 2 == len(names):
                    y, weights = returned
                    if type(y) is ndarray is type(weights) and y.dtype is float64_dtype is weights.dtype:
                        pair = pairs.get((y.shape, weights.shape))
                if pair:
                    arrays = returned
                else:
                    status, message, arrays = results_of(returned, names, ndarray, generic, least_bytes)
                    if status != ANSWERED:
                        texts = (utf8(message), b"", b"")
            except BaseException as error:
                message, line, trace = explain(error)
                status, arrays, texts = status_of(error), (), (utf8(message), utf8(NAME if line else ""), utf8(trace))

            # Behind every answer, as they are now: its arguments, and the results of an earlier call. Whether anybody will look at them
            # is not known here, so that nobody can be careful just then. What other threads do to them they may do before: not every
            # time, since who shares the work among threads would wait a millisecond a call, and never foreseeably.
            threads = other_threads()
            previous = kept.pop(0)
            if where is not None and [a.shape for a in tensors] != shapes:
                where = None
            if pair and where is not None and not (threads or trace or through_pipe):
                if len(previous) == 2 and (old_pair := pairs.get((previous[0].shape, previous[1].shape))):
                    # The usual answer, at once.
                    old_y, old_weights = previous
                    need = ANSWER_HEADER_BYTES + pair[2] + 8 * len(where) + old_pair[2]
                    if at + need <= room and old_y.dtype is float64_dtype is old_weights.dtype:
                        start = MEMORY_HEADER_BYTES + at
                        area[start:start + need] = join((
                            answer_header(need, index, ANSWERED, 2, 0, 0, 0, 0, 0, len(arguments), 2), pair[0], y.tobytes(), pair[1], weights.tobytes(),
                            where, old_pair[0], old_y.tobytes(), old_pair[1], old_weights.tobytes()))
                        kept.append(arrays)
                        at += need
                        in_memory += 1
                        hint[1] = at
                        hint[0] = in_memory
                        continue

            numbers = 0
            for value in arrays:
                numbers += value.size
            if numbers > MOST_NUMBERS:
                texts = (utf8("returned far too much: shape " + " and ".join([str(a.shape) for a in arrays])), b"", b"")
                status, arrays = WRONG_SHAPE, ()
            parts = []
            put_arrays(parts, arrays)
            if texts is not no_texts:
                put_texts(parts, texts)
            for event, of_line, name, function, value in snapshots:
                parts.append(SNAPSHOT_HEADER.pack(event, of_line, len(name), len(function)))
                put_texts(parts, (name, function))
                put_arrays(parts, (value,))
            if threads and chance(1)[0] < 32:
                sleep(0.001)
            if where is None:
                put_arrays(parts, arguments)
            else:
                parts.append(where)
            put_arrays(parts, previous)
            kept.append(arrays)
            if len(arrays) == 2 and status == ANSWERED:
                y, weights = arrays
                pairs[y.shape, weights.shape] = heads[y.shape], heads[weights.shape], 128 + 8 * numbers
            body = join(parts)
            need = ANSWER_HEADER_BYTES + len(body)
            head = answer_header(need, index, status, len(arrays), line, len(texts[0]), len(texts[1]), len(texts[2]), len(snapshots), len(arguments), len(previous))
            if not through_pipe and at + need <= room:
                start = MEMORY_HEADER_BYTES + at
                area[start:start + ANSWER_HEADER_BYTES] = head
                area[start + ANSWER_HEADER_BYTES:start + need] = body
                at += need
                in_memory += 1
                hint[1] = at
                hint[0] = in_memory
            else:
                through_pipe = True
                send(ANSWER, nonce, 1, head + body)
            arguments = where = parts = body = returned = previous = None
        try:
            stdout_of("stdout").flush()
        except BaseException:
            pass
        send(DONE, nonce, in_memory, size=at)


def main():
    global NAME
    path, NAME, dtype, packages, refused, *texts = sys.argv[1:]
    sys.argv = [NAME]
    ways, answer = list(calling.ways_to_call(texts)), serve
    facts = [("python", sys.version.split()[0]), ("numpy", np.__version__), ("blas", blas())] if np else []
    put_up_walls = forking.fork_on_request(np)

    if np is None:
        hello(NO_NUMPY)
        _exit(0)
    with open(path, "rb") as file:
        source = file.read()
    try:
        put_up_walls()
    except OSError as error:
        hello(NO_WALLS, fault=(error.strerror, 0, ""))
        _exit(0)
    packages, refused = set(packages.split(",")), set(refused.split(","))
    sys.meta_path.insert(0, OtherPackages((sys.stdlib_module_names | packages) - refused))
    for name in refused & set(sys.modules):
        sys.modules[name] = None  # importing it is an error now
    faulthandler.enable()  # a crash leaves the submission's line in what it printed
    module, failure = None, None
    try:
        module = load(source)
    except SystemExit as error:
        failure = (EXITED, explain(error))
    except MemoryError as error:
        failure = (OUT_OF_MEMORY, explain(error))
    except BaseException as error:
        failure = (IMPORT_ERROR, explain(error))
    try:
        sys.stdout.flush()
    except BaseException:
        pass
    if failure:
        hello(failure[0], fault=failure[1], facts=facts)
        _exit(0)

    decided = None  # (exercise, entry's name): the first that is there; which of the ways to call it is what remains to be found
    mismatch = None  # (number, line, facts) of an entry that takes other parameters; another signature may fit
    fitting = None  # (number, calls, likeness): by the number of parameters; one whose parameters have the same names is better
    for number, (exercise, functions, plan) in enumerate(ways):
        if decided and decided[0] != exercise:
            break
        if decided and decided[1] != functions[0][0]:
            continue
        calls, alike = [], 2
        for name, parameters, names in functions:
            entry = getattr(module, name, None)
            if not callable(entry):
                if entry is not None or name in vars(module):
                    facts.append(("value", f"{name} is of type {type(entry).__name__}, which cannot be called"))
                if calls:  # the exercise is this one, and incomplete
                    facts.append(("missing", name))
                    hello(NO_ENTRY, number, facts=facts + [("callable", text) for text in callables(module)])
                    _exit(0)
                break
            if isinstance(entry, type) != ("construct" in plan):  # a class where a function is meant, or the other way round
                calls = []
                break
            wrong = calling.unlike(entry, parameters, plan)
            if wrong:
                decided = exercise, functions[0][0]
                mismatch = mismatch or (number, wrong[0], facts + [("parameters", wrong[1]), ("missing", name)])
                calls = []
                break
            alike = min(alike, calling.likeness(entry, parameters, plan))
            calls.append((calling.called_as(entry, parameters, plan), names))
        if calls and (not fitting or alike > fitting[2]):
            decided, fitting = (exercise, functions[0][0]), (number, calls, alike)
            if alike == 2:
                break
    if fitting:
        hello(ANSWERED, fitting[0], facts=facts)
        answer(fitting[1], 4 if dtype == "float32" else 8)
    if mismatch:
        hello(WRONG_SIGNATURE, mismatch[0], ("", mismatch[1], ""), mismatch[2])
        _exit(0)
    hello(NO_ENTRY, facts=facts + [("callable", text) for text in callables(module)])
    _exit(0)


main()
