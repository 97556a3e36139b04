"""What a function does as text, to recognize a stored study: its source, with the values and the
functions of the user that it refers to.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def text_of_function(function: Callable[..., Any]) -> str:
    """The source of a function, with what it refers to. The same in every process."""
    return _function(function, set())


def _function(function: Any, seen: set[int]) -> str:
    if id(function) in seen:
        return ""
    seen.add(id(function))
    inner = getattr(function, "func", None)
    if inner is not None:  # functools.partial
        given = getattr(function, "args", ()), getattr(function, "keywords", {})
        return _function(inner, seen) + _value(given, seen)
    if inspect.ismethod(function):
        return _function(function.__func__, seen) + _value(function.__self__, seen)
    if not isinstance(function, FunctionType):
        return _value(function, seen)
    text = _source(function) + _value((function.__defaults__, function.__kwdefaults__), seen)
    for cell in function.__closure__ or ():
        try:
            text += _value(cell.cell_contents, seen)
        except ValueError:  # an empty cell
            continue
    for name in sorted(set(_names(function.__code__))):
        value = function.__globals__.get(name)
        if _is_of_the_user(value, function):
            text += f"{name}={_value(value, seen)}"
    return text


def _source(function: FunctionType) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return _code(function.__code__)


def _code(code: CodeType) -> str:
    """The instructions of a function whose source is not known."""
    constants = [_code(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return code.co_code.hex() + repr(code.co_names) + repr(constants)


def _names(code: CodeType) -> Iterator[str]:
    """Global names in a function and in the functions inside it."""
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names(one)


def _is_of_the_user(value: Any, function: FunctionType) -> bool:
    """Whether a global value may change: numbers, texts, arrays, and functions of the same package."""
    if value is None or isinstance(value, (type, ModuleType)):
        return False
    if callable(value):
        home = str(getattr(value, "__module__", "")).partition(".")[0]
        return home == str(function.__module__).partition(".")[0] != "kinetree"
    return isinstance(value, (int, float, complex, str, tuple, list, dict, set, np.ndarray))


def _value(value: Any, seen: set[int]) -> str:
    """A value as text, without addresses in memory."""
    if isinstance(value, np.ndarray):
        content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"array {value.dtype} {value.shape} {content}"
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{k!r}:{_value(v, seen)}" for k, v in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        return "[" + ",".join(_value(one, seen) for one in value) + "]"
    if isinstance(value, FunctionType) or inspect.ismethod(value):
        return _function(value, seen)
    if callable(value) and not isinstance(value, type) and hasattr(value, "__dict__"):
        if id(value) in seen:
            return ""
        seen.add(id(value))
        call = vars(type(value)).get("__call__")
        text = _function(call, seen) if isinstance(call, FunctionType) else ""
        return type(value).__qualname__ + text + _value(dict(vars(value)), seen)
    return _ADDRESS.sub("", repr(value))
