"""Fingerprint of user code: a digest of everything that its result depends on, the same in every
process.

    function    bytecode, constants, defaults, closure, and the globals it names, with helper
                functions
    object      its class with its methods, and its state

File names, line numbers and names of variables are left out. Functions of Python, NumPy, SciPy or
Numba enter by name; those of other installed packages without the globals they name. An object that
cannot be divided into parts (a socket, a lock, an endless structure) equals only itself, as long as
the process lives.
"""

from __future__ import annotations

import builtins
import hashlib
import os
import sys
import sysconfig
import types
from collections.abc import Iterable

import numpy as np

_KNOWN = ("numpy", "scipy", "numba", "llvmlite", "builtins", "math", "cmath")
_STANDARD = tuple({sysconfig.get_path(p) for p in ("stdlib", "platstdlib")})
_INSTALLED = tuple({sysconfig.get_path(p) for p in ("purelib", "platlib")})
_MOST = 200_000  # parts of one object; a larger one is treated as indivisible


def fingerprint(value: object, open_floats: bool = False) -> str:
    """Digest of a value; with `open_floats`, without the floats of a function's closure and
    defaults.
    """
    reader = _Reader()
    try:
        if open_floats and isinstance(value, types.FunctionType):
            reader.function(value, open_floats=True)
        else:
            reader.feed(value)
    except RecursionError:
        reader.itself(value)
    return reader.digest.hexdigest()[:32]


def well_known(value: object) -> bool:
    """Whether a value belongs to Python itself or to a package that enters by name."""
    module = (
        value.__name__
        if isinstance(value, types.ModuleType)
        else getattr(value, "__module__", None) or ""
    )
    if str(module).partition(".")[0] in _KNOWN:
        return True
    code = getattr(value, "__code__", None)
    path = (
        getattr(value, "__file__", None)
        if isinstance(value, types.ModuleType)
        else getattr(code, "co_filename", None)
    )
    if path is None:
        return isinstance(value, types.ModuleType) and module in sys.builtin_module_names
    return path.startswith(_STANDARD) and not path.startswith(_INSTALLED)


def installed(value: type | types.FunctionType) -> bool:
    """Whether a value belongs to an installed package, not to the user."""
    code = getattr(value, "__code__", None)
    path = (
        code.co_filename if code else getattr(sys.modules.get(value.__module__), "__file__", None)
    )
    return path is not None and path.startswith(_INSTALLED)


def named_globals(function: types.FunctionType) -> dict[str, object]:
    """Globals that a function, or a function inside it, names."""
    return {
        name: function.__globals__[name]
        for name in sorted(set(all_names(function.__code__)))
        if name in function.__globals__
    }


def all_names(code: types.CodeType) -> Iterable[str]:
    """Names of globals and attributes in a code object and those inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from all_names(constant)


class _Reader:
    """Adds values to a digest, part by part."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.alive: list[object] = []  # so that no id is used twice

    def mark(self, *words: object) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else str(word).encode("utf-8", "surrogatepass")
            self.digest.update(b"%d:" % len(data) + data)

    def feed(self, value: object) -> None:
        if isinstance(value, float):
            self.mark("float", value.hex())
        elif (
            value is None
            or value is Ellipsis
            or isinstance(value, (bool, int, complex, str, bytes))
        ):
            self.mark(type(value).__name__, value if isinstance(value, bytes) else repr(value))
        elif id(value) in self.seen:
            self.mark("again", self.seen[id(value)])
        elif len(self.alive) > _MOST:
            self.itself(value)
        else:
            self.seen[id(value)] = len(self.alive)
            self.alive.append(value)
            self.part(value)

    def part(self, value) -> None:
        """Add a value that has parts."""
        if isinstance(value, (tuple, list)):
            self.mark(type(value).__name__, len(value))
            self.each(value)
        elif isinstance(value, (set, frozenset)):
            self.mark(type(value).__name__, *sorted(fingerprint(v) for v in value))
        elif isinstance(value, dict):
            self.mark(type(value).__name__, len(value))
            for key in sorted(value, key=fingerprint):
                self.each((key, value[key]))
        elif isinstance(value, (np.ndarray, np.generic)):
            array = np.asarray(value)
            self.mark("array", array.dtype.str, array.shape)
            self.each(array.ravel().tolist()) if array.dtype.hasobject else self.mark(
                array.tobytes()
            )
        elif isinstance(value, types.CodeType):
            self.code(value)
        else:
            self.callable_or_object(value)

    def each(self, values: Iterable) -> None:
        for value in values:
            self.feed(value)

    def callable_or_object(self, value) -> None:
        if isinstance(value, types.ModuleType):
            self.mark("module", value.__name__)
        elif isinstance(value, (type, types.FunctionType)) and well_known(value):
            self.mark("known", value.__module__, value.__qualname__)
        elif isinstance(value, (type, types.FunctionType)) and installed(value):
            self.mark("installed", value.__module__, value.__qualname__)
            if isinstance(value, types.FunctionType):
                self.function(value, outside=False)
        elif isinstance(value, types.FunctionType):
            self.function(value)
        elif isinstance(value, type):
            self.class_(value)
        elif isinstance(getattr(value, "py_func", None), types.FunctionType):  # compiled by Numba
            self.mark("compiled", *sorted(map(str, getattr(value, "targetoptions", {}).items())))
            self.feed(value.py_func)
        elif isinstance(value, types.MethodType):
            self.mark("method")
            self.each((value.__func__, value.__self__))
        elif isinstance(value, (types.BuiltinFunctionType, np.ufunc)):
            self.mark(
                "known",
                getattr(value, "__module__", ""),
                getattr(value, "__qualname__", value.__name__),
            )
        elif isinstance(value, (staticmethod, classmethod)):
            self.feed(value.__func__)
        elif isinstance(value, property):
            self.each((value.fget, value.fset))
        else:
            self.object(value)

    def function(
        self, f: types.FunctionType, open_floats: bool = False, outside: bool = True
    ) -> None:
        """Add code, defaults and closure and, with `outside`, the globals that the function names."""

        def give(value) -> None:
            self.mark("open") if open_floats and isinstance(value, float) else self.feed(value)

        self.code(f.__code__)
        for value in f.__defaults__ or ():
            give(value)
        self.feed(f.__kwdefaults__)
        for cell in f.__closure__ or ():
            try:
                give(cell.cell_contents)
            except ValueError:
                self.mark("empty cell")
        if not outside:
            return
        names = set(all_names(f.__code__))
        for name, value in named_globals(f).items():
            self.mark(name)
            self.feed(value)
            if isinstance(value, types.ModuleType) and not well_known(value):
                self.each(part for n in sorted(names) for part in (n, getattr(value, n, None)))
        self.mark(*(n for n in sorted(names) if n not in f.__globals__ and hasattr(builtins, n)))

    def code(self, code: types.CodeType) -> None:
        self.mark(
            "code",
            code.co_argcount,
            code.co_posonlyargcount,
            code.co_kwonlyargcount,
            code.co_flags,
            code.co_code,
            getattr(code, "co_exceptiontable", b""),
            *code.co_names,
            "/",
            *code.co_freevars,
        )
        self.each(code.co_consts)

    def class_(self, c: type) -> None:
        self.mark("class", c.__qualname__)
        for name in sorted(vars(c)):
            if name not in (
                "__dict__",
                "__weakref__",
                "__module__",
                "__doc__",
                "__annotations__",
                "__slotnames__",
                "__firstlineno__",
                "__static_attributes__",
                "__abstractmethods__",
                "_abc_impl",
            ):
                self.mark(name)
                self.feed(vars(c)[name])
        self.each(base for base in c.__bases__ if not well_known(base))

    def object(self, value) -> None:
        """Add the state that `pickle` would store."""
        if isinstance(getattr(value, "__wrapped__", None), types.FunctionType):
            self.feed(value.__wrapped__)
        try:
            parts = value.__reduce_ex__(4)
        except Exception:
            self.itself(value)
            return
        if isinstance(parts, str):
            self.mark("named", type(value).__module__, parts)
        else:
            self.mark("object", type(value).__qualname__)
            self.each(list(p) if hasattr(p, "__next__") else p for p in parts)

    def itself(self, value) -> None:
        self.mark("itself", type(value).__qualname__, os.getpid(), id(value))
