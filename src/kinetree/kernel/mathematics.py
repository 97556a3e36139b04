"""Elementary functions for Python code whose results enter a run: the functions of kernels, which
are the same on every processor.

For single numbers they run as plain Python, 10 to 20 us each; for arrays in a kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .decorators import kernel
from .functions.exponential import cosh, exp, sinh, tanh
from .functions.inverse import atan, atan2
from .functions.powers import hypot
from .functions.trigonometric import cos, sin
from .types import Vector

__all__ = [
    "angles",
    "atan",
    "atan2",
    "cos",
    "cosh",
    "cosines",
    "each",
    "exp",
    "exponentials",
    "hypot",
    "sin",
    "sines",
    "sinh",
    "tanh",
]


def each(f: Callable[[float], float], x: np.ndarray) -> np.ndarray:
    """f of each element of a short array, without a kernel; usable while modules are imported."""
    return np.array([f(v) for v in x.tolist()])


def sines(x: np.ndarray) -> np.ndarray:
    """Sine of each element."""
    return _filled(fill_sines, x)


def cosines(x: np.ndarray) -> np.ndarray:
    """Cosine of each element."""
    return _filled(fill_cosines, x)


def exponentials(x: np.ndarray) -> np.ndarray:
    """Exponential of each element."""
    return _filled(fill_exponentials, x)


def angles(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Angle atan2(y, x) of each point, for arrays of one shape."""
    out = np.empty(np.shape(x))
    fill_angles(np.array(y, float).ravel(), np.array(x, float).ravel(), out.reshape(-1))
    return out


def _filled(fill: Callable, x: np.ndarray) -> np.ndarray:
    out = np.empty(np.shape(x))
    fill(np.array(x, float).ravel(), out.reshape(-1))
    return out


@kernel
def fill_sines(x: Vector, out: Vector) -> None:
    for k in range(x.shape[0]):
        out[k] = math.sin(x[k])


@kernel
def fill_cosines(x: Vector, out: Vector) -> None:
    for k in range(x.shape[0]):
        out[k] = math.cos(x[k])


@kernel
def fill_exponentials(x: Vector, out: Vector) -> None:
    for k in range(x.shape[0]):
        out[k] = math.exp(x[k])


@kernel
def fill_angles(y: Vector, x: Vector, out: Vector) -> None:
    for k in range(x.shape[0]):
        out[k] = math.atan2(y[k], x[k])
