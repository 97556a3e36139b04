"""User functions as machine code with one C signature per shape, checked while they run.

Every index in the user's code is checked, also in the helper functions it calls, whether they are marked for Numba or
not. Floats that a function closes over or has as defaults are arguments of the machine code, so that a function made
anew for every case of a study is compiled once; all else it refers to is part of the machine code.

    shape        user's function                            returns to the kernels
    time, law    f(t), f(t, x, xdot) -> number              the number, NaN where it raises
    wrench       f(t, a, b, parameters, force, torque)      0, or 1 where it raises
    control      f(t, u, x, parameters, xdot, out)          likewise
    ode          f(t, y, ydot)                              likewise
    tyre         f(load, kappa, alpha, camber, parameters, out)   likewise
"""

from __future__ import annotations

import math
import types as python
from inspect import CO_VARARGS, CO_VARKEYWORDS
from typing import NamedTuple

import numpy as np
from numba import carray, cfunc, njit, types
from numba.extending import intrinsic

from ..num.private import impl_ret_borrowed
from .fingerprint import all_names, named_globals, well_known

_OPTIONS = {"error_model": "numpy", "boundscheck": True}
_pointer = types.CPointer(types.float64)
_SIGNATURE = {
    "time": types.float64(_pointer, types.float64),
    "law": types.float64(_pointer, types.float64, types.float64, types.float64),
    "wrench": types.int64(_pointer, types.float64, _pointer, _pointer, _pointer, types.int64, _pointer, _pointer),
    "control": types.int64(_pointer, types.float64, *[_pointer, types.int64] * 3, _pointer, _pointer, types.int64),
    "ode": types.int64(_pointer, types.float64, _pointer, types.int64, _pointer),
    "tyre": types.int64(_pointer, *[types.float64] * 4, _pointer, types.int64, _pointer),
}


class Marker(NamedTuple):
    """What a user force sees of a marker, all in world axes."""

    position: np.ndarray
    rotation: np.ndarray
    velocity: np.ndarray
    angular_velocity: np.ndarray


def compile_native(function, shape: str, count: int):
    """(cfunc, type that the user's function of `count` arguments returns); raises what Numba raises."""
    inner = njit(**_OPTIONS)(_outer(python_of(function), count))
    callback = cfunc(_SIGNATURE[shape])(_WRAPPER[shape](inner))
    return callback, next(iter(inner.overloads.values())).signature.return_type


def python_of(function):
    """The function the user wrote, also where Numba has decorated it."""
    return getattr(function, "py_func", function)


def floats_of(function) -> np.ndarray:
    """The floats a function closes over and has as defaults, in the order in which the machine code reads them."""
    f = python_of(function)
    values = [*(cell.cell_contents for cell in f.__closure__ or ()), *(f.__defaults__ or ())]
    return np.array([*(v for v in values if isinstance(v, float)), 0.0])


def _outer(f: python.FunctionType, count: int) -> python.FunctionType:
    """outer(values, *arguments), which calls f with its floats taken from `values`."""
    code, arguments = f.__code__, [f"kinetree_{k}" for k in range(count)]
    plain = not code.co_kwonlyargcount and not code.co_flags & (CO_VARARGS | CO_VARKEYWORDS)
    if plain and len(floats_of(f)) > 1 and code.co_argcount >= count:
        return _opened(f, arguments)
    scope = {"inner": _Copies().function(f)}
    return _made(f"def outer(kinetree_values, {', '.join(arguments)}):\n    return inner({', '.join(arguments)})\n", scope)


def _opened(f: python.FunctionType, arguments: list[str]) -> python.FunctionType:
    """Written with an inner function of the same closure, whose code is then that of f; Numba merges the two."""
    code, checked = f.__code__, _Copies()
    scope, lines, floats = checked.scope(f), [], 0
    for name, cell in zip(code.co_freevars, f.__closure__ or ()):
        floats, source = _source(cell.cell_contents, floats, scope, checked)
        lines.append(f"    {name} = {source}\n")
    defaults = []
    for value in f.__defaults__ or ():
        floats, source = _source(value, floats, scope, checked)
        defaults.append(source)
    more = code.co_argcount - len(arguments)
    given = ", ".join([*arguments, *defaults[len(defaults) - more:]])
    return _made(f"def outer(kinetree_values, {', '.join(arguments)}):\n{''.join(lines)}"
                 f"    def kinetree_inner({', '.join(code.co_varnames[:code.co_argcount])}):\n"
                 f"        return [{', '.join(code.co_freevars)}]\n"
                 f"    return kinetree_inner({given})\n", scope, code)


def _source(value, floats: int, scope: dict, checked: _Copies) -> tuple[int, str]:
    """How the outer function gets at a value of the closure, and how many floats there are so far."""
    if isinstance(value, float):
        return floats + 1, f"kinetree_values[{floats}]"
    name = f"kinetree_fixed_{len(scope)}"
    scope[name] = checked.value(value, ())
    return floats, name


def _made(source: str, scope: dict, inner: python.CodeType | None = None) -> python.FunctionType:
    """The function `outer` of our own source, with the code of the function inside it exchanged."""
    made: dict = {}
    exec(compile(source, "<user code>", "exec"), made)  # names of the user's variables and nothing else from outside
    code = made["outer"].__code__
    if inner is not None:
        code = code.replace(co_consts=tuple(inner if isinstance(c, python.CodeType) else c for c in code.co_consts))
    return python.FunctionType(code, scope, "outer")


def _checked(f: python.FunctionType, **options):
    return njit(**{**_OPTIONS, **options})(f)


def in_python(function) -> python.FunctionType:
    """The function and the functions it calls as plain Python, whatever Numba has made of them."""
    return _Copies(lambda f, **options: f).function(python_of(function))


class _Copies:
    """Copies of functions, and of the functions they call: by default compiled with checked indices."""

    def __init__(self, make=_checked) -> None:
        self.make = make
        self.made: dict[int, object] = {}

    def function(self, f: python.FunctionType, **options):
        scope: dict = {}
        cells = tuple(python.CellType() for _ in f.__closure__ or ())
        copy = python.FunctionType(f.__code__, scope, f.__name__, f.__defaults__, cells)
        copy.__kwdefaults__, copy.__module__, copy.__qualname__ = f.__kwdefaults__, f.__module__, f.__qualname__
        self.made[id(f)] = compiled = self.make(copy, **options)
        scope.update(self.scope(f))
        for cell, old in zip(cells, f.__closure__ or ()):
            cell.cell_contents = self.value(old.cell_contents, ())
        return compiled

    def scope(self, f: python.FunctionType) -> dict:
        """The globals of f, with copies of the functions among those it names."""
        names = set(all_names(f.__code__))
        return {**f.__globals__, **{name: self.value(v, names) for name, v in named_globals(f).items()}}

    def value(self, value, names):
        if id(value) in self.made:
            return self.made[id(value)]
        if isinstance(value, python.ModuleType) and not well_known(value):
            return self.module(value, names)
        f = python_of(value)
        if not isinstance(f, python.FunctionType) or well_known(f) or (f is not value and f.__module__.startswith("kinetree.")):
            return value
        fast = {"fastmath": value.targetoptions["fastmath"]} if "fastmath" in getattr(value, "targetoptions", {}) else {}
        self.made[id(value)] = compiled = self.function(f, **fast)
        return compiled

    def module(self, module: python.ModuleType, names) -> python.ModuleType:
        """The module as the names see it, with copies of the functions among them."""
        shadow = python.ModuleType(module.__name__)
        shadow.__dict__.update({**vars(module), **{n: self.value(vars(module)[n], ()) for n in names if n in vars(module)}})
        return shadow


@intrinsic
def _constant(typingctx, array):
    """The same array, not to be written."""

    def codegen(context, builder, signature, args):
        return impl_ret_borrowed(context, builder, signature.return_type, args[0])

    return array.copy(readonly=True)(array), codegen


def _time(inner):
    def call(values, t):
        try:
            return float(inner(values, t))
        except Exception:
            return math.nan
    return call


def _law(inner):
    def call(values, t, x, xdot):
        try:
            return float(inner(values, t, x, xdot))
        except Exception:
            return math.nan
    return call


def _wrench(inner):
    def call(values, t, a, b, parameters, count, force, torque):
        try:
            inner(values, t, unpack(carray(a, (18,))), unpack(carray(b, (18,))), _constant(carray(parameters, (count,))),
                  carray(force, (3,)), carray(torque, (3,)))
        except Exception:
            return 1
        return 0
    unpack = njit(unpack_marker)
    return call


def _control(inner):
    def call(values, t, u, nu, x, nx, parameters, count, xdot, out, no):
        try:
            inner(values, t, carray(u, (nu,)), carray(x, (nx,)), _constant(carray(parameters, (count,))), carray(xdot, (nx,)),
                  carray(out, (no,)))
        except Exception:
            return 1
        return 0
    return call


def _ode(inner):
    def call(values, t, y, n, ydot):
        try:
            inner(values, t, _constant(carray(y, (n,))), carray(ydot, (n,)))
        except Exception:
            return 1
        return 0
    return call


def _tyre(inner):
    def call(values, load, kappa, alpha, camber, parameters, count, out):
        try:
            inner(values, load, kappa, alpha, camber, _constant(carray(parameters, (count,))), carray(out, (3,)))
        except Exception:
            return 1
        return 0
    return call


_WRAPPER = {"time": _time, "law": _law, "wrench": _wrench, "control": _control, "ode": _ode, "tyre": _tyre}


def unpack_marker(m):
    return Marker(m[0:3], m[3:12].reshape(3, 3), m[12:15], m[15:18])
