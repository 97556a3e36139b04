"""Calling user code by address: kernels stay what they are whatever the user plugs in.

Code is found at a pair of addresses: of the machine code, or of a ctypes callback around a plain
Python function (slow, but it works), and of the numbers it is given first, whatever else it is
called with. Arrays are passed as the address of their first element.
"""

from __future__ import annotations

import ctypes
from typing import Any

from .decorators import JIT
from .language import Callback

_LETTERS: dict[str, Any] = {"d": ctypes.c_double, "i": ctypes.c_int64}


def _caller(result: str, arguments: str) -> Any:
    """f((address, numbers), arguments) with that C signature (d double, i integer or pointer)."""
    if JIT:
        return Callback(result, arguments)
    prototype = ctypes.CFUNCTYPE(_LETTERS[result], *[_LETTERS[a] for a in arguments])
    return lambda at, values: prototype(int(at[0]))(int(at[1]), *values)


call_time = _caller("d", "id")  # f(t)
call_law = _caller("d", "iddd")  # f(t, x, xdot)
call_wrench = _caller(
    "i", "idiiiiii"
)  # f(t, &a, &b, &parameters, count, &force, &torque), 0 or 1 if it raised
call_control = _caller(
    "i", "idiiiiiiiii"
)  # f(t, &u, nu, &x, nx, &parameters, count, &xdot, &out, no), likewise
call_tyre = _caller(
    "i", "iddddiii"
)  # f(load, kappa, alpha, camber, &parameters, count, &out), likewise
call_ode = _caller("i", "idiii")  # f(t, &y, n, &ydot), likewise
