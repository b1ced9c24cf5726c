"""How a submission is called: which of the ways it was written for, and a function that calls it so. Part of worker.py."""

import inspect
import json
import types

# Built-ins too: a submission may assign to them.
(all, callable, dict, getattr, hasattr, isinstance, len, list, set, setattr, tuple, type) = (
    all, callable, dict, getattr, hasattr, isinstance, len, list, set, setattr, tuple, type)
(AttributeError, BaseException, TypeError) = (AttributeError, BaseException, TypeError)
SimpleNamespace = types.SimpleNamespace


def other_parameters(entry, n_arguments):
    """(line, parameters) of a function that cannot be called with so many arguments, or None."""
    try:
        signature = inspect.signature(entry)
    except BaseException:  # builtins have none, and a __signature__ of its own may raise anything
        return None
    try:
        signature.bind(*range(n_arguments))
    except TypeError:
        line = getattr(getattr(entry, "__code__", None), "co_firstlineno", 0)
        return line, ", ".join(str(p).split(":")[0] for p in signature.parameters.values())
    return None


def plain(name):
    """As names are compared: W_q, Wq and w_q are one."""
    return name.replace("_", "").lower()


def begins_with(entry, names):
    """Whether these are the names of the entry's first parameters."""
    try:
        own = [plain(name) for name in inspect.signature(entry).parameters]
    except BaseException:
        return False
    return own[:len(names)] == [plain(name) for name in names]


def names_in(cls):
    """The attributes that a class's methods mention."""
    found, codes = set(), []
    for base in cls.__mro__[:-1]:
        codes += [getattr(value, "__code__", None) for value in vars(base).values()]
        found |= set(vars(base))
    for code in codes:
        if code is not None:
            found |= set(code.co_names)
            codes += [inner for inner in code.co_consts if isinstance(inner, types.CodeType)]
    return found


def as_the_class_has_it(path, names):
    """The attribute path with its first name as the class writes it, where only one could be meant."""
    first, *rest = path.split(".")
    alike = [first] if first in names else [name for name in names if plain(name) == plain(first)]
    return (alike[0], *rest) if len(alike) == 1 else None


def build(part, arguments):
    """A part of a call, made of the arrays and integers that came: 3 for the fourth of them, ["dict", {"w": 3, "b": 4}] ..."""
    if type(part) is int:
        return arguments[part]
    kind, inside = part
    if kind == "value":
        return inside
    if kind == "bool":
        return arguments[inside] != 0
    if kind == "list":
        return [*arguments[inside]]
    if kind == "tuple":
        return tuple([build(p, arguments) for p in inside])
    made = {key: build(p, arguments) for key, p in inside.items()}
    return made if kind == "dict" else SimpleNamespace(**made)


def set_at(instance, path, value):
    """path "w_q", or "proj.weight", or a key of a dictionary: "params.W_q"."""
    *owners, last = path
    for name in owners:
        instance = instance[name] if isinstance(instance, dict) else getattr(instance, name)
    if isinstance(instance, dict):
        instance[last] = value
    else:
        setattr(instance, last, value)


def attributes(cls, plan):
    """(path as the class has it or None, path as the plan has it, part) of what is set before a call."""
    names = names_in(cls)
    return [(as_the_class_has_it(path, names), tuple(path.split(".")), part) for path, part in plan["assign"]]


def called_as(entry, plan):
    """A function that calls the entry as the plan says: a class is constructed, its attributes are set, and it is called."""
    is_class = "construct" in plan
    assign = attributes(entry, plan) if is_class else ()
    wanted = ", ".join([".".join(path) for _, path, _ in assign])

    def function(*arguments):
        call = entry
        if is_class:
            call = instance = entry(*[build(part, arguments) for part in plan["construct"]])
            for own, path, part in assign:
                if own is None and not hasattr(instance, path[0]):
                    raise AttributeError(f"{entry.__name__} has no attribute {path[0]}; what is set before a call is {wanted}")
                set_at(instance, own or path, build(part, arguments))
            if plan["method"]:
                call = getattr(instance, plan["method"])
        return call(*[build(part, arguments) for part in plan["call"]])

    return function


def unlike(entry, parameters, plan):
    """(line, parameters) of an entry that cannot be called so, or None."""
    wrong = other_parameters(entry, len(parameters))
    if wrong or "construct" not in plan:
        return wrong
    method = getattr(entry, plan["method"] or "__call__", None)
    if not callable(method) or not plan["method"] and "__call__" not in names_in(entry):
        return 0, ""
    return other_parameters(method, 1 + len(plan["call"]))


def has_the_names(entry, parameters, plan):
    """Whether the entry looks as if it was written for this call: its parameters have these names, or it has these attributes."""
    if "construct" in plan and not all([own for own, _, _ in attributes(entry, plan)]):
        return False
    return begins_with(entry, parameters)


def ways_to_call(texts):
    """(exercise, [(entry, parameters, results) ...], plan) of each way in which the submission may be called."""
    for text in texts:
        calls, _, plan = text.partition("|")
        exercise, calls = calls.split("/")
        functions = []
        for call in calls.split("+"):
            name, parameters, results = call.split(":")
            functions.append((name, parameters.split(",") if parameters else [], results.split(",")))
        yield exercise, functions, json.loads(plan or "{}")
