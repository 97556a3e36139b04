"""Sines, cosines and exponentials of arrays by the functions of the kernels; NumPy's own follow the processor."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..kernel.types import Vector
from ..num.jit import kernel
from .products import floats


@kernel
def sines(x: Vector, out: Vector):
    for k in range(x.shape[0]):
        out[k] = math.sin(x[k])


@kernel
def cosines(x: Vector, out: Vector):
    for k in range(x.shape[0]):
        out[k] = math.cos(x[k])


@kernel
def exponentials(x: Vector, out: Vector):
    for k in range(x.shape[0]):
        out[k] = math.exp(x[k])


@kernel
def angles(y: Vector, x: Vector, out: Vector):
    for k in range(x.shape[0]):
        out[k] = math.atan2(y[k], x[k])


def _each(function: Callable, x: ArrayLike) -> Any:
    values = floats(x).reshape(-1)
    out = np.empty_like(values)
    function(values, out)
    return out.reshape(np.shape(x)) if np.ndim(x) else float(out[0])


def sin(x: ArrayLike) -> Any:
    """The sine of each number."""
    return _each(sines, x)


def cos(x: ArrayLike) -> Any:
    """The cosine of each number."""
    return _each(cosines, x)


def exp(x: ArrayLike) -> Any:
    """The exponential of each number."""
    return _each(exponentials, x)


def arctan2(y: ArrayLike, x: ArrayLike) -> np.ndarray:
    """The angle of each point (x, y), for arrays of one shape."""
    above, ahead = floats(y), floats(x)
    out = np.empty_like(ahead)
    angles(above.reshape(-1), ahead.reshape(-1), out.reshape(-1))
    return out
