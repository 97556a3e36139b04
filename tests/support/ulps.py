"""Elementary functions against mpmath: arguments over their whole range, and errors in units of the
last place.
"""

import math
import re
from pathlib import Path

import mpmath as mp
import numpy as np

BITS = 300  # of mpmath
OF_ONE = {
    f.__name__: f
    for f in (
        math.sin,
        math.cos,
        math.tan,
        math.asin,
        math.acos,
        math.atan,
        math.exp,
        math.expm1,
        math.sinh,
        math.cosh,
        math.tanh,
        math.log,
        math.log2,
        math.log10,
        math.log1p,
        math.asinh,
        math.acosh,
        math.atanh,
    )
}
OF_TWO = {f.__name__: f for f in (math.atan2, math.pow, math.hypot)}
EXACT = {"log2": lambda x: mp.log(x, 2), "pow": mp.power, "log10": mp.log10}
DOMAIN = {
    "asin": (-1.0, 1.0),
    "acos": (-1.0, 1.0),
    "atanh": (-1.0, 1.0),
    "acosh": (1.0, math.inf),
    "log1p": (-1.0, math.inf),
    "log": (0.0, math.inf),
    "log2": (0.0, math.inf),
    "log10": (0.0, math.inf),
}
SIZES = {
    "exp": 746.0,
    "expm1": 746.0,
    "sinh": 711.5,
    "cosh": 711.5,
    "tanh": 25.0,
}  # beyond them all is flat or infinite


NORMAL = 2.3e-308  # numbers below have fewer bits
PAGE = Path(__file__).resolve().parents[2] / "docs" / "kernel-language.md"


def bounds(name):
    """Errors that the page on the kernel language states: for any result, and for results that are
    normal numbers.
    """
    table = (
        PAGE.read_text(encoding="utf-8")
        .partition("| function | largest error |")[2]
        .partition("\n\n")[0]
    )
    for names, told in re.findall(r"^\| (.*?) \| (.*) \|$", table, re.MULTILINE):
        if name in re.findall(r"\w+", names):
            found = re.findall(r"\d\.\d+(?!e)\b", told)
            return float(found[0]), float(found[-1])
    raise KeyError(name)


def floats(rng, count):
    """Of all sizes, subnormal numbers included, and both signs."""
    return np.ldexp(rng.uniform(-1.0, 1.0, count), rng.integers(-1076, 1025, count))


def near(rng, x, count):
    """A few units of the last place, or a small ratio, beside each number."""
    x = np.asarray(x, float)[rng.integers(0, len(x), count)]
    return np.where(
        rng.random(count) < 0.5,
        x + np.spacing(x) * rng.integers(-6, 7, count),
        x * (1.0 + rng.choice([-1.0, 1.0], count) * 10.0 ** rng.uniform(-15.0, -1.0, count)),
    )


def arguments(name, rng, count):
    """Numbers of all sizes, of everyday sizes, and near those where something changes."""
    size = SIZES.get(name, 1e3)
    special = {"sin": _quarter_turns, "cos": _quarter_turns, "tan": _quarter_turns}.get(
        name, _edges
    )(rng, size)
    x = np.concatenate(
        [
            floats(rng, count),
            rng.uniform(-size, size, count),
            rng.uniform(-1.5, 1.5, count),
            near(rng, special, count),
            special,
        ]
    )
    low, high = DOMAIN.get(name, (-math.inf, math.inf))
    return x[
        np.isfinite(x)
        & (x >= low)
        & (x <= high)
        & (np.abs(x) < (SIZES[name] if name in SIZES else math.inf))
    ]


def _quarter_turns(rng, size):
    n = np.concatenate([np.arange(1, 40), rng.integers(1, 2**21, 200), 2 ** np.arange(6, 60)])
    nearest = [6381956970095103.0 * 2.0**797]  # 2^-61 beside a multiple of pi/2
    return np.concatenate([n * (math.pi / 4), 2.0 ** np.arange(17, 1024, 7), nearest])


def _edges(rng, size):
    changes = [
        1.0,
        -1.0,
        size,
        -size,
        0.5,
        -0.5,
        2.0**-28,
        2.0**-54,
        45.0,
        20.0,
        0.0054,
        2.0**0.5,
        709.78,
        -708.4,
    ]
    return np.concatenate(
        [changes, np.arange(1, 33) / 32.0, np.arange(1, 33) / 64.0, 2.0 ** np.arange(-40.0, 41.0)]
    )


def pairs(name, rng, count):
    """The same for functions of two numbers."""
    x, y = floats(rng, count), floats(rng, count)
    near_1 = 1.0 + rng.choice([-1.0, 1.0], count) * 10.0 ** rng.uniform(-15.0, -0.5, count)
    if name == "pow":  # with results inside the range of floats
        base = np.concatenate(
            [
                np.abs(x),
                np.abs(near_1),
                rng.uniform(0.99, 1.01, 2 * count),
                rng.uniform(0.0, 30.0, count),
            ]
        )
        with np.errstate(all="ignore"):
            power = rng.uniform(-745.0, 709.0, len(base)) / np.log(base)
        fine = np.isfinite(power) & (base > 0.0)
        return base[fine], power[fine]
    a, b = rng.uniform(-3.0, 3.0, (2, count))
    c = np.ldexp(near_1, rng.integers(-900, 900, count))
    x, y = (
        np.concatenate([x, a, c, x]),
        np.concatenate([y, b, c * near_1[::-1], np.clip(x, -1e307, 1e307) * b]),
    )
    fine = (x != 0.0) & (y != 0.0)
    return x[fine], y[fine]


def too_far(name, found, *given):
    """Arguments and results with larger errors than the page states."""
    exact = EXACT.get(name) or getattr(mp, name)
    bound, bound_of_normal = bounds(name)
    far = []
    with mp.workprec(BITS):
        for y, *x in zip(found.tolist(), *(g.tolist() for g in given)):
            error = ulps(y, exact(*map(mp.mpf, x)))
            if not error < (bound if abs(y) < NORMAL else bound_of_normal):
                far.append((x, y, error))
    return far


def ulps(y, exact):
    """|y - exact| in units of the last place; overflow is right where the exact result rounds to
    it.
    """
    if exact == 0:
        return 0.0 if y == 0.0 else math.inf
    power = max(mp.floor(mp.log(abs(exact), 2)), -1022)
    unit = mp.mpf(2) ** (power - 52)
    if math.isinf(y):
        return 0.0 if abs(exact) >= mp.mpf(2) ** 1024 - unit else math.inf
    return float(abs(mp.mpf(y) - exact) / unit)
