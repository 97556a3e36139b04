"""Copies of a user's function and of the functions it calls, each transformed."""

from __future__ import annotations

import types as python
from collections.abc import Callable

from .fingerprint import all_names, named_globals, well_known
from .shapes import python_of


def in_python(function) -> python.FunctionType:
    """The function and the functions it calls as plain Python, without decorators of Numba."""
    return Copies(lambda f, **options: f).function(python_of(function))


class Copies:
    """Copies of functions and of the functions they call, transformed by `make(copy, **options)`."""

    def __init__(self, make: Callable) -> None:
        self.make = make
        self.made: dict[int, object] = {}

    def function(self, f: python.FunctionType, **options):
        scope: dict = {}
        cells = tuple(python.CellType() for _ in f.__closure__ or ())
        copy = python.FunctionType(f.__code__, scope, f.__name__, f.__defaults__, cells)
        copy.__kwdefaults__, copy.__module__, copy.__qualname__ = (
            f.__kwdefaults__,
            f.__module__,
            f.__qualname__,
        )
        self.made[id(f)] = compiled = self.make(copy, **options)
        scope.update(self.scope(f))
        for cell, old in zip(cells, f.__closure__ or ()):
            cell.cell_contents = self.value(old.cell_contents, ())
        return compiled

    def scope(self, f: python.FunctionType) -> dict:
        """The globals of f, with copies of the functions that it names."""
        names = set(all_names(f.__code__))
        return {
            **f.__globals__,
            **{name: self.value(v, names) for name, v in named_globals(f).items()},
        }

    def value(self, value, names):
        if id(value) in self.made:
            return self.made[id(value)]
        if isinstance(value, python.ModuleType) and not well_known(value):
            return self.module(value, names)
        f = python_of(value)
        if (
            not isinstance(f, python.FunctionType)
            or well_known(f)
            or (f is not value and f.__module__.startswith("kinetree."))
        ):
            return value
        fast = (
            {"fastmath": value.targetoptions["fastmath"]}
            if "fastmath" in getattr(value, "targetoptions", {})
            else {}
        )
        self.made[id(value)] = compiled = self.function(f, **fast)
        return compiled

    def module(self, module: python.ModuleType, names) -> python.ModuleType:
        """A copy of a module, with copies of those of its functions that `names` lists."""
        shadow = python.ModuleType(module.__name__)
        shadow.__dict__.update(
            {
                **vars(module),
                **{n: self.value(vars(module)[n], ()) for n in names if n in vars(module)},
            }
        )
        return shadow
