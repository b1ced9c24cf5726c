"""What the worker makes of whatever a submission returns: arrays, or what is wrong with it."""

try:
    import numpy as np
except ImportError:
    np = None

# Built-ins too: a submission may assign to them.
(complex, float, int, isinstance, len, list, slice, tuple, type, zip) = (
    complex, float, int, isinstance, len, list, slice, tuple, type, zip)
MaskedArray = np.ma.MaskedArray if np else None
FLOAT64_DTYPE = np.dtype(np.float64) if np else None

STATUSES = range(7)  # of an answer (wire.hpp)
ANSWERED, _, UNFINISHED, _, _, WRONG_TYPE, WRONG_SHAPE = STATUSES
MAX_RANK = 5


def wrong_array(name, value, ndarray, generic, least_bytes):
    """What is wrong with a result that should be an array: (status, message), or None."""
    if type(value) is ndarray and value.dtype is FLOAT64_DTYPE and 0 < value.ndim <= MAX_RANK:
        return None
    if type(value) is not ndarray:
        kind = type(value).__name__
        if isinstance(value, MaskedArray):
            return WRONG_TYPE, f"{name} is a masked array; return a plain one: {name}.filled(0)"
        if isinstance(value, ndarray):
            return WRONG_TYPE, f"{name} is a {kind}, a subclass of NumPy's array; return a plain one: np.asarray({name})"
        if isinstance(value, (list, tuple)):
            inside = f" of length {len(value)}, of {type(value[0]).__name__}" if len(value) else ", empty"
            return WRONG_TYPE, f"{name} is a {kind}{inside}; a NumPy array is expected, which np.array({name}) makes of nested lists"
        if isinstance(value, (int, float, complex, generic)):
            return WRONG_TYPE, f"{name} is a single number ({kind}); a NumPy array is expected"
        if kind in ("generator", "coroutine"):
            return WRONG_TYPE, f"{name} is a {kind}: the function is written with {'yield' if kind == 'generator' else 'async'}, so calling it does not run it; a NumPy array is expected"
        if value is None:
            return WRONG_TYPE, f"{name} is None; a NumPy array is expected"
        return WRONG_TYPE, f"{name} is of type {kind}; a NumPy array is expected"
    dtype = value.dtype
    if dtype.kind != "f":
        what = {"c": "complex numbers", "O": "Python objects (ragged rows make such an array)", "b": "booleans",
                "i": "integers", "u": "integers"}.get(dtype.kind, "something else than real numbers")
        return WRONG_TYPE, f"{name} holds {what}: dtype {dtype}, shape {value.shape}; floating-point numbers are expected"
    if dtype.itemsize < least_bytes:
        return WRONG_TYPE, (f"{name} has dtype {dtype}; the inputs are float{8 * least_bytes}, "
                            "and a result in less precision has lost digits on the way")
    if value.ndim == 0:
        return WRONG_SHAPE, f"{name} is a 0-d array, a single number; an array with rows is expected"
    if value.ndim > MAX_RANK:
        return WRONG_SHAPE, f"{name} has {value.ndim} dimensions: shape {value.shape}"
    return None


def results_of(returned, names, ndarray, generic, least_bytes):
    """(status, message, arrays) of what the entry returned."""
    if returned is None:
        return UNFINISHED, "returned None: either it is not written yet, or a return is missing", ()
    arrays = (returned,)
    if isinstance(returned, (tuple, list)) and len(names) > 1:
        # A plain one, without a method of theirs being called.
        returned = (tuple if isinstance(returned, tuple) else list).__getitem__(returned, slice(None))
        if len(returned) != len(names) or (type(returned) is list and not isinstance(returned[0], ndarray)):
            kind = type(returned).__name__
            what = "nothing" if not len(returned) else f"first of type {type(returned[0]).__name__}"
            return WRONG_TYPE, (f"returned a {kind} of {len(returned)} ({what}); an array {names[0]}, "
                                f"or the pair ({', '.join(names)}), is expected"), ()
        arrays = tuple(returned)
    wrong = [found for name, value in zip(names, arrays) if (found := wrong_array(name, value, ndarray, generic, least_bytes))]
    if wrong:
        status = wrong[0][0]
        return status, "; ".join(message for kind, message in wrong if kind == status), ()
    return ANSWERED, "", arrays
