"""How a submission is called: which of the ways it was written for, and a function that calls it so. Part of worker.py."""

import inspect
import json
import types

# Built-ins too: a submission may assign to them.
(all, any, callable, dict, getattr, hasattr, isinstance, len, list, range, set, setattr, str, tuple, type) = (
    all, any, callable, dict, getattr, hasattr, isinstance, len, list, range, set, setattr, str, tuple, type)
(AttributeError, BaseException, TypeError) = (AttributeError, BaseException, TypeError)
SimpleNamespace = types.SimpleNamespace


def shown(signature):
    """Parameters as the file has them, without annotations; what comes behind * must be named in a call, and is not."""
    words, keyword_only = [], False
    for parameter in signature.parameters.values():
        if parameter.kind == parameter.KEYWORD_ONLY and not keyword_only and not any([word.startswith("*") for word in words]):
            words.append("*")
        keyword_only = parameter.kind == parameter.KEYWORD_ONLY
        words.append(str(parameter).split(":")[0])
    return words


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
        return line, ", ".join(shown(signature))
    return None


def plain(name):
    """As names are compared: W_q, Wq and w_q are one."""
    return name.replace("_", "").lower()


def order_of(entry, parameters):
    """Where each of the entry's parameters is among these, by its name: [0, 2, 1] for (x, w_k, w_q). None where the names are others."""
    try:
        own = [plain(name) for name in inspect.signature(entry).parameters][:len(parameters)]
    except BaseException:
        return None
    wanted = [plain(name) for name in parameters]
    if len(set(wanted)) != len(wanted) or set(own) != set(wanted):
        return None
    return [wanted.index(name) for name in own]


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


def called_as(entry, parameters, plan):
    """A function that calls the entry as the plan says: a class is constructed, its attributes are set, and it is called. Parameters that
    have the same names in another order get what their names say."""
    of_file, order = entry, order_of(entry, parameters)
    if order and order != list(range(len(order))):
        def entry(*values):
            return of_file(*[values[i] for i in order])
    if not plan:
        return entry
    is_class = "construct" in plan
    assign = attributes(of_file, plan) if is_class else ()
    wanted = ", ".join([".".join(path) for _, path, _ in assign])

    def function(*arguments):
        call = entry
        if is_class:
            call = instance = entry(*[build(part, arguments) for part in plan["construct"]])
            for own, path, part in assign:
                if own is None and not hasattr(instance, path[0]):
                    raise AttributeError(f"{of_file.__name__} has no attribute {path[0]}; what is set before a call is {wanted}")
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


def likeness(entry, parameters, plan):
    """How much the entry looks as if it was written for this call: 2 with these names of parameters and attributes, 1 with the
    parameters in another order, 0 otherwise."""
    order = order_of(entry, parameters)
    if order is None or "construct" in plan and not all([own for own, _, _ in attributes(entry, plan)]):
        return 0
    return 2 if order == list(range(len(order))) else 1


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
