"""User functions outside the kernel language, compiled by Numba if it is installed.

They may use all that Numba compiles. Every index in the user's code is checked, also in the helper
functions it calls, decorated for Numba or not.
"""

from __future__ import annotations

import math
import types as python
from inspect import CO_VARARGS, CO_VARKEYWORDS

from numba import carray, cfunc, njit, types
from numba.extending import intrinsic

from .copies import Copies
from .shapes import ARGUMENTS, floats_of, python_of, unpack_marker

_OPTIONS = {"error_model": "numpy", "boundscheck": True}
_pointer = types.CPointer(types.float64)
_SIGNATURE = {
    "time": types.float64(_pointer, types.float64),
    "law": types.float64(_pointer, types.float64, types.float64, types.float64),
    "wrench": types.int64(
        _pointer, types.float64, _pointer, _pointer, _pointer, types.int64, _pointer, _pointer
    ),
    "control": types.int64(
        _pointer, types.float64, *[_pointer, types.int64] * 3, _pointer, _pointer, types.int64
    ),
    "ode": types.int64(_pointer, types.float64, _pointer, types.int64, _pointer),
    "tyre": types.int64(_pointer, *[types.float64] * 4, _pointer, types.int64, _pointer),
}


def compile_by_numba(function, shape: str):
    """Callback with an `address`, and whether the function returns a value; raises the errors of
    Numba.
    """
    inner = njit(**_OPTIONS)(_outer(python_of(function), len(ARGUMENTS[shape])))
    callback = cfunc(_SIGNATURE[shape])(_WRAPPER[shape](inner))
    return callback, next(iter(inner.overloads.values())).signature.return_type != types.none


def _outer(f: python.FunctionType, count: int) -> python.FunctionType:
    """Function outer(values, *arguments) that calls f with its floats taken from `values`."""
    code, arguments = f.__code__, [f"kinetree_{k}" for k in range(count)]
    plain = not code.co_kwonlyargcount and not code.co_flags & (CO_VARARGS | CO_VARKEYWORDS)
    if plain and len(floats_of(f)) > 1 and code.co_argcount >= count:
        return _opened(f, arguments)
    scope = {"inner": Copies(_checked).function(f)}
    return _made(
        f"def outer(kinetree_values, {', '.join(arguments)}):\n    return "
        f"inner({', '.join(arguments)})\n",
        scope,
    )


def _opened(f: python.FunctionType, arguments: list[str]) -> python.FunctionType:
    """`_outer` of a function with floats: an inner function with the same closure gets the code of
    f, and Numba inlines it.
    """
    code, checked = f.__code__, Copies(_checked)
    scope, lines, floats = checked.scope(f), [], 0
    for name, cell in zip(code.co_freevars, f.__closure__ or ()):
        floats, source = _source(cell.cell_contents, floats, scope, checked)
        lines.append(f"    {name} = {source}\n")
    defaults = []
    for value in f.__defaults__ or ():
        floats, source = _source(value, floats, scope, checked)
        defaults.append(source)
    more = code.co_argcount - len(arguments)
    given = ", ".join([*arguments, *defaults[len(defaults) - more :]])
    return _made(
        f"def outer(kinetree_values, {', '.join(arguments)}):\n{''.join(lines)}"
        f"    def kinetree_inner({', '.join(code.co_varnames[: code.co_argcount])}):\n"
        f"        return [{', '.join(code.co_freevars)}]\n"
        f"    return kinetree_inner({given})\n",
        scope,
        code,
    )


def _source(value, floats: int, scope: dict, checked: Copies) -> tuple[int, str]:
    """Source of a value of the closure in the outer function, after the number of floats so far."""
    if isinstance(value, float):
        return floats + 1, f"kinetree_values[{floats}]"
    name = f"kinetree_fixed_{len(scope)}"
    scope[name] = checked.value(value, ())
    return floats, name


def _made(source: str, scope: dict, inner: python.CodeType | None = None) -> python.FunctionType:
    """The function `outer` of this source, with the code of its inner function replaced."""
    made: dict = {}
    # the source has names of the user's variables, and no other text of the user
    exec(compile(source, "<user code>", "exec"), made)
    code = made["outer"].__code__
    if inner is not None:
        code = code.replace(
            co_consts=tuple(inner if isinstance(c, python.CodeType) else c for c in code.co_consts)
        )
    return python.FunctionType(code, scope, "outer")


def _checked(f: python.FunctionType, **options):
    return njit(**{**_OPTIONS, **options})(f)


@intrinsic
def _constant(typingctx, array):
    """The same array, read-only."""

    def codegen(context, builder, signature, args):
        return args[0]

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
            inner(
                values,
                t,
                unpack(carray(a, (18,))),
                unpack(carray(b, (18,))),
                _constant(carray(parameters, (count,))),
                carray(force, (3,)),
                carray(torque, (3,)),
            )
        except Exception:
            return 1
        return 0

    unpack = njit(unpack_marker)
    return call


def _control(inner):
    def call(values, t, u, nu, x, nx, parameters, count, xdot, out, no):
        try:
            inner(
                values,
                t,
                carray(u, (nu,)),
                carray(x, (nx,)),
                _constant(carray(parameters, (count,))),
                carray(xdot, (nx,)),
                carray(out, (no,)),
            )
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
            inner(
                values,
                load,
                kappa,
                alpha,
                camber,
                _constant(carray(parameters, (count,))),
                carray(out, (3,)),
            )
        except Exception:
            return 1
        return 0

    return call


_WRAPPER = {
    "time": _time,
    "law": _law,
    "wrench": _wrench,
    "control": _control,
    "ode": _ode,
    "tyre": _tyre,
}
