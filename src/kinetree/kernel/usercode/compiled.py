"""User functions as machine code with one C signature per shape.

Functions in the kernel language are compiled by Kinetree's compiler; others by Numba, if it is
installed. Every index is checked at run time, also in the helper functions that are called.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ..compiler.calls import convention
from ..compiler.values import KernelError, number
from ..compiler.writer import Compiled
from ..types import Array, Scalar, Tuple, Type, float64, none
from ..user_function import VALUES, OuterFunction, UserUnit
from .curves import curve_module
from .shapes import ARGUMENTS, CURVES, FILLED, Marker, python_of

if TYPE_CHECKING:
    from ..runtime.on_demand import Loaded

_VECTOR, _MATRIX, _READ = Array(float64, 1), Array(float64, 2), Array(float64, 1, constant=True)
_MARKER = Tuple((_VECTOR, _MATRIX, _VECTOR, _VECTOR), Marker)
ENTRY = "user"
# Arguments of the C function; then of the user's function: its type and, for an array, the arguments
# that have its address and its size.
_LAYOUT: dict[str, tuple[str, tuple[tuple[Type, tuple[str, ...]], ...]]] = {
    "time": ("double %t", ((float64, ("%t",)),)),
    "law": (
        "double %t, double %x, double %v",
        tuple((float64, (name,)) for name in ("%t", "%x", "%v")),
    ),
    "wrench": (
        "double %t, ptr %a, ptr %b, ptr %p, i64 %np, ptr %force, ptr %torque",
        (
            (float64, ("%t",)),
            (_MARKER, ("%a",)),
            (_MARKER, ("%b",)),
            (_READ, ("%p", "%np")),
            (_VECTOR, ("%force", "3")),
            (_VECTOR, ("%torque", "3")),
        ),
    ),
    "control": (
        "double %t, ptr %u, i64 %nu, ptr %x, i64 %nx, ptr %p, i64 %np, ptr %xdot, ptr %out, i64 %no",
        (
            (float64, ("%t",)),
            (_VECTOR, ("%u", "%nu")),
            (_VECTOR, ("%x", "%nx")),
            (_READ, ("%p", "%np")),
            (_VECTOR, ("%xdot", "%nx")),
            (_VECTOR, ("%out", "%no")),
        ),
    ),
    "ode": (
        "double %t, ptr %y, i64 %n, ptr %ydot",
        ((float64, ("%t",)), (_READ, ("%y", "%n")), (_VECTOR, ("%ydot", "%n"))),
    ),
    "tyre": (
        "double %load, double %kappa, double %alpha, double %camber, ptr %p, i64 %np, ptr %out",
        (
            *((float64, (name,)) for name in ("%load", "%kappa", "%alpha", "%camber")),
            (_READ, ("%p", "%np")),
            (_VECTOR, ("%out", "3")),
        ),
    ),
}


def compile_native(function, shape: str):
    """Object with the `address` of the machine code, and whether the function returns a value."""
    if shape in CURVES:
        return compile_here(function, shape)[0], True
    try:
        return compile_here(function, shape)
    except KernelError:
        if find_spec("numba") is None:
            raise
        from .by_numba import compile_by_numba

        with suppress(Exception):  # the reason that is reported is that of our own compiler
            return compile_by_numba(function, shape)
        raise


def compile_here(function, shape: str) -> tuple[Loaded, bool]:
    """Compile with Kinetree's compiler; raises KernelError."""
    from ..runtime.lookup import engine
    from ..runtime.on_demand import Loaded

    text, returns = module_of(function, shape, engine().target.fused)
    return Loaded(text, ENTRY), returns


def module_of(function, shape: str, fused: bool) -> tuple[str, bool]:
    """LLVM text of a module with the C function `ENTRY`, and whether the function returns a value.

    Raises KernelError if the function is not in the kernel language.
    """
    if shape in CURVES:
        return curve_module(function, shape, fused), True
    unit, outer = UserUnit(), OuterFunction(python_of(function), len(ARGUMENTS[shape]))
    compiled = unit.get(outer, (VALUES, *(kind for kind, _ in _LAYOUT[shape][1])))
    if unit.kernels:
        raise KernelError(
            f"{unit.kernels[0].function.name} is a kernel, which user functions cannot call"
        )
    returns = compiled.result is not none
    if not FILLED[shape] and not isinstance(compiled.result, Scalar):
        raise KernelError(f"it returns {compiled.result} where a number is needed")
    return unit.module([compiled], fused) + _entry(shape, compiled), returns


def _entry(shape: str, f: Compiled) -> str:
    """Text of the C function that kernels call: it passes addresses as arrays and returns NaN or 1
    after a failure.
    """
    given, parts = _LAYOUT[shape]
    lines, leaves = ["%failed = alloca i8", "store i8 0, ptr %failed"], ["%values", "1"]
    for kind, found in parts:
        leaves += _marker(found[0], lines) if isinstance(kind, Tuple) else found
    returned, types, _ = convention(f.args, f.result, True, True)
    handed = ", ".join(
        f"{leaf} {part}" for leaf, part in zip(types, [*leaves, "%failed"], strict=True)
    )
    lines += [
        f'{"" if returned == "void" else "%r = "}call {returned} @"{f.symbol}"({handed})',
        "%code = load i8, ptr %failed",
    ]
    if FILLED[shape]:
        lines += ["%status = zext i8 %code to i64", "ret i64 %status"]
    else:
        convert = {
            "double": "%x_ = fadd double %r, -0.0",
            "i64": "%x_ = sitofp i64 %r to double",
            "i1": "%x_ = uitofp i1 %r to double",
        }[returned]
        lines += [
            convert,
            "%bad = icmp ne i8 %code, 0",
            f"%value = select i1 %bad, double {number(float('nan'))}, double %x_",
            "ret double %value",
        ]
    body = "\n  ".join(lines)
    return f'define {"i64" if FILLED[shape] else "double"} @"{ENTRY}"(ptr %values, {given}) nounwind {{\n  {body}\n}}\n'


def _marker(at: str, lines: list[str]) -> list[str]:
    """Leaves of a marker: position, rotation, velocity and angular velocity, stored in a row."""
    leaves = []
    for first, shape in ((0, ("3",)), (3, ("3", "3")), (12, ("3",)), (15, ("3",))):
        lines.append(f"{at}.{first} = getelementptr double, ptr {at}, i64 {first}")
        leaves += [f"{at}.{first}", *shape]
    return leaves
