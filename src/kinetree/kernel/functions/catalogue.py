"""The functions of `math` that kernels may call, and their implementations here."""

from __future__ import annotations

import math
from collections.abc import Callable

from . import exponential, inverse, logarithm, powers, rounding, trigonometric

ONE: dict[Callable, Callable] = {  # functions of one number
    math.sin: trigonometric.sin,
    math.cos: trigonometric.cos,
    math.tan: trigonometric.tan,
    math.asin: inverse.asin,
    math.acos: inverse.acos,
    math.atan: inverse.atan,
    math.exp: exponential.exp,
    math.expm1: exponential.expm1,
    math.sinh: exponential.sinh,
    math.cosh: exponential.cosh,
    math.tanh: exponential.tanh,
    math.log: logarithm.log,
    math.log2: logarithm.log2,
    math.log10: logarithm.log10,
    math.log1p: logarithm.log1p,
    math.asinh: logarithm.asinh,
    math.acosh: logarithm.acosh,
    math.atanh: logarithm.atanh,
}
TWO: dict[Callable, Callable] = {
    math.atan2: inverse.atan2,
    math.pow: powers.power,
    math.hypot: powers.hypot,
    math.fmod: rounding.fmod,
}
INTEGER: dict[Callable, Callable] = {  # functions that return an integer
    math.floor: rounding.floor,
    math.ceil: rounding.ceil,
    round: rounding.nearest,
}
