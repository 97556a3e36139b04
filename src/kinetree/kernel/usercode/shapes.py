"""What user functions look like: their arguments, the floats they close over, and what the kernels
call.

    shape        user's function                            returns to the kernels
    time, law    f(t), f(t, x, xdot) -> number              the number, NaN where it raises
    wrench       f(t, a, b, parameters, force, torque)      0, or 1 where it raises
    control      f(t, u, x, parameters, xdot, out)          likewise
    ode          f(t, y, ydot)                              likewise
    tyre         f(load, kappa, alpha, camber, parameters, out)   likewise

Floats that a function closes over or has as defaults are arguments of the machine code, so that a
function made anew for every case of a study is compiled once; all else it refers to is part of the
machine code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..compiler.source import closed_over

ARGUMENTS = {
    "time": ("t",),
    "law": ("t", "x", "xdot"),
    "wrench": ("t", "a", "b", "parameters", "force", "torque"),
    "control": ("t", "u", "x", "parameters", "xdot", "out"),
    "ode": ("t", "y", "ydot"),
    "tyre": ("load", "kappa", "alpha", "camber", "parameters", "out"),
}
FILLED = {
    "time": 0,
    "law": 0,
    "wrench": 2,
    "control": 2,
    "ode": 1,
    "tyre": 1,
}  # how many of the last arguments are to be filled


class Marker(NamedTuple):
    """What a user force sees of a marker, all in world axes."""

    position: np.ndarray
    rotation: np.ndarray
    velocity: np.ndarray
    angular_velocity: np.ndarray


def unpack_marker(m):
    return Marker(m[0:3], m[3:12].reshape(3, 3), m[12:15], m[15:18])


def python_of(function):
    """The function the user wrote, also where Numba has decorated it."""
    return getattr(function, "py_func", function)


def floats_of(function) -> np.ndarray:
    """The floats a function closes over and has as defaults, in the order in which the machine code
    reads them.
    """
    f = python_of(function)
    values = [*closed_over(f).values(), *(f.__defaults__ or ())]
    return np.array([*(v for v in values if isinstance(v, float)), 0.0])
