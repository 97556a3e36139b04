"""From a user's Python function to an address the kernels can call.

The function is compiled with Numba; if that fails it is called through ctypes instead, which is slower by a factor of
ten to a hundred, and a warning says so. Whatever the user's code raises becomes NaN for the kernels (so the step is
rejected, never silently accepted) and is kept here for the error message.
"""

from __future__ import annotations

import ctypes
import math
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numba
import numpy as np
from numba import carray, cfunc, njit, types

from .jit import JIT


class Marker(NamedTuple):
    """What a user force sees of a marker, all in world axes."""

    position: np.ndarray
    rotation: np.ndarray
    velocity: np.ndarray
    angular_velocity: np.ndarray


class SlowCallback(UserWarning):
    """User code could not be compiled and runs as plain Python."""


_PROTOTYPE = {
    "time": ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double),
    "law": ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * 3),
    "wrench": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_int64] * 6),
    "control": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_int64] * 9),
    "ode": ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_int64] * 3),
}
_pointer = types.CPointer(types.float64)
_SIGNATURE = {
    "time": types.float64(types.float64),
    "law": types.float64(types.float64, types.float64, types.float64),
    "wrench": types.int64(types.float64, _pointer, _pointer, _pointer, types.int64, _pointer, _pointer),
    "control": types.int64(types.float64, *[_pointer, types.int64] * 3, _pointer, _pointer, types.int64),
    "ode": types.int64(types.float64, _pointer, types.int64, _pointer),
}
_alive: dict[tuple[int, str], tuple[object, object, int]] = {}  # callbacks must outlive the runs that call them
failures: dict[int, BaseException] = {}  # what plain Python callbacks raised, by address


def address_of(function: Callable, shape: str) -> int:
    """Address of machine code with the C signature `shape` that runs `function`."""
    key = (id(function), shape)
    if key not in _alive:
        native = _native(function, shape) if JIT else None
        callback = native or _plain(function, shape)
        address = native.address if native else ctypes.cast(callback, ctypes.c_void_p).value
        _alive[key] = (function, callback, address)
    return _alive[key][2]


def _native(function: Callable, shape: str):
    """The compiled callback, or None with a warning if Numba cannot compile the function."""
    try:
        inner = function if hasattr(function, "py_func") else njit(error_model="numpy")(function)
        return cfunc(_SIGNATURE[shape])(_WRAPPER[shape](inner))
    except (numba.core.errors.NumbaError, TypeError) as reason:  # TypeError: callable, but not a function
        first = str(reason).strip().splitlines()[0]
        name = getattr(function, "__name__", repr(function))
        warnings.warn(f"user function {name!r} cannot be compiled and runs as plain Python, 10 to 100 times slower "
                      f"({first})", SlowCallback, stacklevel=4)
        return None


def _time(inner):
    def call(t):
        try:
            return float(inner(t))
        except Exception:
            return math.nan
    return call


def _law(inner):
    def call(t, x, xdot):
        try:
            return float(inner(t, x, xdot))
        except Exception:
            return math.nan
    return call


def _wrench(inner):
    def call(t, a, b, parameters, count, force, torque):
        f, n = carray(force, (3,)), carray(torque, (3,))
        try:
            inner(t, unpack(carray(a, (18,))), unpack(carray(b, (18,))), carray(parameters, (count,)), f, n)
        except Exception:
            f[0] = math.nan
        return 0
    unpack = njit(_unpack)
    return call


def _control(inner):
    def call(t, u, nu, x, nx, parameters, count, xdot, out, no):
        rate, answer = carray(xdot, (nx,)), carray(out, (no,))
        try:
            inner(t, carray(u, (nu,)), carray(x, (nx,)), carray(parameters, (count,)), rate, answer)
        except Exception:
            for k in range(nx):
                rate[k] = math.nan
            for k in range(no):
                answer[k] = math.nan
        return 0
    return call


def _ode(inner):
    def call(t, y, n, ydot):
        rate = carray(ydot, (n,))
        try:
            inner(t, carray(y, (n,)), rate)
        except Exception:
            rate[0] = math.nan
        return 0
    return call


_WRAPPER = {"time": _time, "law": _law, "wrench": _wrench, "control": _control, "ode": _ode}


def _unpack(m):
    return Marker(m[0:3], m[3:12].reshape(3, 3), m[12:15], m[15:18])


def _plain(function: Callable, shape: str):
    """A ctypes callback around plain Python; exceptions are kept and answered with NaN."""

    def array(address: int, n: int) -> np.ndarray:
        return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), (n,)) if n else np.zeros(0)

    def guarded(answer, *, bad):
        try:
            return answer()
        except Exception as reason:
            failures[ctypes.cast(callback, ctypes.c_void_p).value] = reason
            return bad()

    def wrench(t, a, b, p, count, force, torque):
        f, n = array(force, 3), array(torque, 3)
        return guarded(lambda: (function(t, _unpack(array(a, 18)), _unpack(array(b, 18)), array(p, count), f, n) and 0) or 0,
                       bad=lambda: f.fill(math.nan) or 0)

    def control(t, u, nu, x, nx, p, count, xdot, out, no):
        rate, answer = array(xdot, nx), array(out, no)
        return guarded(lambda: (function(t, array(u, nu), array(x, nx), array(p, count), rate, answer) and 0) or 0,
                       bad=lambda: rate.fill(math.nan) or answer.fill(math.nan) or 0)

    def ode(t, y, n, ydot):
        return guarded(lambda: (function(t, array(y, n), array(ydot, n)) and 0) or 0,
                       bad=lambda: array(ydot, n).fill(math.nan) or 0)

    def scalar(*values):
        return guarded(lambda: float(function(*values)), bad=lambda: math.nan)

    callback = _PROTOTYPE[shape]({"wrench": wrench, "control": control, "ode": ode}.get(shape, scalar))
    return callback
