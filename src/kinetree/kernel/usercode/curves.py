"""User functions along curves: equations of constraints and gaps, with two derivatives.

    shape         user's function                 its numbers
    poses         f(t, a, b, parameters)          position and rotation of two markers
    motions       f(t, a, b, parameters)          also their velocities
    coordinates   f(t, s, parameters)             joint coordinates
    rates         f(t, s, sdot, parameters)       also their rates
    signals       f(t, u, x, parameters)          inputs and states of a controller

A function returns one number or a tuple of numbers. Each argument and each result is a jet
(`jet_function.py`). The C function

    user(values, t, tdot, length, state, n, nx, parameters, count, out, rows) -> 0, 1 failed, 2 not that
                                                                             many numbers

receives `state` and writes `out` as rows of three coefficients. Plain Python is evaluated on the
curve at seven points, for central differences of order 6; `length` is the unit of positions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..compiler.calls import convention
from ..compiler.values import KernelError
from ..compiler.writer import Compiled
from ..types import JET, Array, Scalar, Tuple, Type, float64, jet
from ..user_function import VALUES, OuterFunction
from .shapes import ARGUMENTS, MARKER, Marker, Pose, python_of

_VECTOR, _MATRIX, _READ = Array(jet, 1), Array(jet, 2), Array(float64, 1, constant=True)
_POSE = Tuple((_VECTOR, _MATRIX), Pose)
_MOTION = Tuple((_VECTOR, _MATRIX, _VECTOR, _VECTOR), Marker)
_TYPES: dict[str, tuple[Type, ...]] = {
    "poses": (jet, _POSE, _POSE, _READ),
    "motions": (jet, _MOTION, _MOTION, _READ),
    "coordinates": (jet, _VECTOR, _READ),
    "rates": (jet, _VECTOR, _VECTOR, _READ),
    "signals": (jet, _VECTOR, _VECTOR, _READ),
}
_GIVEN = (
    "ptr %values, double %t, double %tdot, double %length, ptr %state, i64 %n, i64 %nx, ptr %p, "
    "i64 %np, ptr %out, i64 %rows"
)
STEP = 2e-2  # of differences, along the fastest number
FAST = 50.0  # time runs as fast as 50 of the model's lengths in a second


def curve_module(function: Callable, shape: str, fused: bool) -> str:
    """LLVM text of the module of the function; raises KernelError."""
    from ..jet_function import JetUnit

    unit, outer = JetUnit(), OuterFunction(python_of(function), len(ARGUMENTS[shape]))
    compiled = unit.get(outer, (VALUES, *_TYPES[shape]))
    if unit.kernels:
        raise KernelError(
            f"{unit.kernels[0].function.name} is a kernel, which user functions cannot call"
        )
    kinds = _results(compiled.result)
    if not kinds or not all(isinstance(kind, Scalar) for kind in kinds):
        raise KernelError(f"it returns {compiled.result} where numbers are needed")
    return unit.module([compiled], fused) + _entry(shape, compiled, kinds)


def _results(result: Type) -> tuple[Type, ...]:
    return result.items if isinstance(result, Tuple) else (result,)


def _entry(shape: str, f: Compiled, kinds: tuple[Type, ...]) -> str:
    """Text of the C function of the module."""
    lines = ["%failed = alloca i8", "store i8 0, ptr %failed"]
    lines.append(f"%t0 = insertvalue {JET} zeroinitializer, double %t, 0")
    lines.append(f"%t1 = insertvalue {JET} %t0, double %tdot, 1")
    leaves = ["%values", "1", "%t1", *_arrays(shape, lines), "%p", "%np"]
    returned, types, _ = convention(f.args, f.result, True, True)
    handed = ", ".join(
        f"{leaf} {part}" for leaf, part in zip(types, [*leaves, "%failed"], strict=True)
    )
    lines.append(f'%r = call {returned} @"{f.symbol}"({handed})')
    lines.append(f"%fits = icmp eq i64 %rows, {len(kinds)}")
    lines.append("br i1 %fits, label %store, label %other")
    done = []
    for k, kind in enumerate(kinds):
        done += _stored(k, kind, returned if len(kinds) > 1 else "")
    done += ["%code = load i8, ptr %failed", "%status = zext i8 %code to i64", "ret i64 %status"]
    text = "\n  ".join(lines) + "\nother:\n  ret i64 2\nstore:\n  " + "\n  ".join(done)
    return f'define i64 @"user"({_GIVEN}) nounwind {{\n  {text}\n}}\n'


def _arrays(shape: str, lines: list[str]) -> list[str]:
    """Leaves of the arguments between the time and the parameters, stored in a row."""
    if shape in ("coordinates", "rates", "signals"):
        lines.append(f"%second = getelementptr {JET}, ptr %state, i64 %n")
        second = {"coordinates": [], "rates": ["%second", "%n"], "signals": ["%second", "%nx"]}
        return ["%state", "%n", *second[shape]]
    leaves: list[str] = []
    parts = ((0, ("3",)), (3, ("3", "3")), (12, ("3",)), (15, ("3",)))
    for m in range(2):
        for first, size in parts[: 2 if shape == "poses" else 4]:
            name = f"%m{m}.{first}"
            lines.append(f"{name} = getelementptr {JET}, ptr %state, i64 {MARKER * m + first}")
            leaves += [name, *size]
    return leaves


def _stored(k: int, kind: Type, whole: str) -> list[str]:
    """Lines that store the k-th result as three coefficients."""
    assert isinstance(kind, Scalar)
    value, lines = "%r", [f"%o{k} = getelementptr {JET}, ptr %out, i64 {k}"]
    if whole:
        value = f"%v{k}"
        lines.append(f"{value} = extractvalue {whole} %r, {k}")
    if kind is jet:
        return [*lines, f"store {JET} {value}, ptr %o{k}"]
    convert = {"double": "fadd double {}, -0.0", "i64": "sitofp i64 {} to double"}
    made = convert.get(kind.register, "uitofp i1 {} to double").format(value)
    return [
        *lines,
        f"%d{k} = {made}",
        f"store {JET} zeroinitializer, ptr %o{k}",
        f"store double %d{k}, ptr %o{k}",
    ]


def plain_curve(function: Callable, shape: str, array: Callable) -> Callable:
    """The same function as plain Python, by central differences."""

    def evaluate(t, state, n, parameters):
        if shape in ("coordinates", "rates", "signals"):
            parts = [state[:n]] if shape == "coordinates" else [state[:n], state[n:]]
        else:
            parts = [_marker(state[MARKER * m :], shape) for m in range(2)]
        found = function(t, *parts, parameters)
        if found is None:
            raise TypeError("it returned nothing where a number is needed")
        return np.atleast_1d(np.asarray(found, float))

    def curve(t, tdot, length, state, n, nx, p, count, out, rows) -> int:
        numbers = (
            2 * MARKER if shape in ("poses", "motions") else n + (n if shape == "rates" else nx)
        )
        c = array(state, 3 * numbers, False).reshape(-1, 3)
        parameters = array(p, count, False)

        def at(s):
            return evaluate(t + s * tdot, c[:, 0] + s * (c[:, 1] + s * c[:, 2]), n, parameters)

        value = at(0.0)
        if value.shape != (rows,):
            return 2
        found = array(out, 3 * rows).reshape(-1, 3)
        found[:] = 0.0
        found[:, 0] = value
        speed = max(_speed(c, shape, length), FAST * abs(tdot))
        if speed > 0.0:
            found[:, 1:] = differences(at, value, STEP / speed)
        return 0

    return curve


def _speed(c: np.ndarray, shape: str, length: float) -> float:
    """How fast the fastest number changes, in radians or lengths of the model."""
    unit = np.ones(len(c))
    if shape in ("poses", "motions"):
        unit.reshape(2, MARKER)[:, :3] = length
    first, second = np.abs(c[:, 1]) / unit, np.sqrt(np.abs(c[:, 2]) / unit)
    return float(max(first.max(initial=0.0), second.max(initial=0.0)))


def differences(at: Callable, value: np.ndarray, h: float) -> np.ndarray:
    """First and half the second derivative, by central differences of order 6."""
    pairs = [(at(k * h), at(-k * h)) for k in (1, 2, 3)]
    first = sum(w * (a - b) for w, (a, b) in zip((45.0, -9.0, 1.0), pairs)) / (60.0 * h)
    second = sum(w * (a + b - 2.0 * value) for w, (a, b) in zip((270.0, -27.0, 2.0), pairs))
    return np.column_stack([first, second / (360.0 * h * h)])


def _marker(numbers: np.ndarray, shape: str):
    parts = (numbers[0:3], numbers[3:12].reshape(3, 3), numbers[12:15], numbers[15:18])
    return Pose(*parts[:2]) if shape == "poses" else Marker(*parts)
