"""Shapes of user functions: their arguments, and the values they return to kernels.

    shape        user's function                            returns to the kernels
    time, law    f(t), f(t, x, xdot) -> number              the number, NaN where it raises
    wrench       f(t, a, b, parameters, force, torque)      0, or 1 where it raises
    control      f(t, u, x, parameters, xdot, out)          likewise
    ode          f(t, y, ydot)                              likewise
    tyre         f(load, kappa, alpha, camber, parameters, out)   likewise
    poses, ..    equations and gaps, with derivatives   likewise (curves.py)

Floats that a function closes over or has as defaults are arguments of the machine code, so that a
function created for every case of a study is compiled once; all other values are part of the
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
    "poses": ("t", "a", "b", "parameters"),
    "motions": ("t", "a", "b", "parameters"),
    "coordinates": ("t", "s", "parameters"),
    "rates": ("t", "s", "sdot", "parameters"),
    "signals": ("t", "u", "x", "parameters"),
}
CURVES = ("poses", "motions", "coordinates", "rates", "signals")  # curves.py
# number of the last arguments that the function fills
FILLED = {
    **{"time": 0, "law": 0, "wrench": 2, "control": 2, "ode": 1, "tyre": 1},
    **dict.fromkeys(CURVES, 0),
}
MARKER = 18  # numbers of a marker


class Marker(NamedTuple):
    """Motion of a marker as a user force receives it, in world axes."""

    position: np.ndarray
    rotation: np.ndarray
    velocity: np.ndarray
    angular_velocity: np.ndarray


class Pose(NamedTuple):
    """Position and rotation of a marker as an equation of positions receives them, in world axes."""

    position: np.ndarray
    rotation: np.ndarray


def unpack_marker(m):
    return Marker(m[0:3], m[3:12].reshape(3, 3), m[12:15], m[15:18])


def python_of(function):
    """The function of the user, without a decorator of Numba."""
    return getattr(function, "py_func", function)


def floats_of(function) -> np.ndarray:
    """Floats that a function closes over or has as defaults, in the order of the machine code."""
    f = python_of(function)
    values = [*closed_over(f).values(), *(f.__defaults__ or ())]
    return np.array([*(v for v in values if isinstance(v, float)), 0.0])
