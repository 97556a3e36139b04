"""Derive the constants of the elementary functions and write kernel/functions/constants.py.

    python -m kinetree.apps.building.constants

Needs mpmath, which comes with SymPy. Polynomials are Taylor series where the interval is short;
those of sine and cosine are interpolated at Chebyshev nodes. Numbers in two parts are a double with
few bits, so that products with it are exact, and the rest of the number as a double.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import mpmath as mp  # type: ignore[import-untyped]

PATH = Path(__file__).resolve().parents[2] / "kernel" / "functions" / "constants.py"
HEAD = '''"""Constants of the elementary functions, derived and written by apps/building/constants.py."""

import numpy as np

'''
# of 128 cells of [1, 2]: above its center the logarithm is computed for half of the number
SQRT_2_CELL = 53
BITS = 1400  # 2/pi is needed to 1224


def parts(x: mp.mpf, *bits: int) -> list[float]:
    """x as a sum of doubles: truncated to the given numbers of bits, and the remainder."""
    found = []
    for n in bits:
        unit = mp.mpf(2) ** (mp.floor(mp.log(abs(x), 2)) + 1 - n)
        found.append(float(mp.floor(x / unit) * unit))
        x -= mp.mpf(found[-1])
    return [*found, float(x)]


def on_grid(x: mp.mpf, unit: mp.mpf) -> tuple[float, float]:
    """The multiple of a unit nearest to x, and the remainder."""
    high = mp.nint(x / unit) * unit
    return float(high), float(x - high)


def fitted(f, highest: mp.mpf, count: int) -> list[float]:
    """Coefficients, lowest power first, of the polynomial that interpolates f at the Chebyshev nodes
    of [0, highest].
    """
    nodes = [highest / 2 * (1 - mp.cos(mp.pi * (2 * k + 1) / (2 * count))) for k in range(count)]
    powers = mp.matrix([[z**n for n in range(count)] for z in nodes])
    return [float(c) for c in mp.lu_solve(powers, mp.matrix([f(z) for z in nodes]))]


def turns() -> dict[str, object]:
    """Constants of sine, cosine and tangent: pi/2, digits of 2/pi in base 2^24, polynomials in
    z = x^2 up to slightly more than (pi/4)^2.
    """
    half, highest = mp.pi / 2, (mp.mpf("0.786")) ** 2
    digits = [0] * 4 + [
        int(mp.floor(2 / mp.pi * mp.mpf(2) ** (24 * (j + 1)))) % 2**24 for j in range(51)
    ]
    rest = fitted(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, highest, 6)
    more = fitted(
        lambda z: ((mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z + mp.mpf(1) / 6) / z, highest, 6
    )
    even = fitted(lambda z: ((mp.cos(mp.sqrt(z)) - 1) / z + mp.mpf(1) / 2) / z, highest, 6)
    return {
        "TWO_OVER_PI": float(2 / mp.pi),
        "HALF_PI": parts(half, 53),
        "HALF_PI_LONG": parts(half, 33, 33),
        "HALF_PI_LONGER": parts(half, 33, 33, 33),
        "DIGITS_OF_TWO_OVER_PI": digits,
        "SIXTH": parts(mp.mpf(1) / 6, 53),
        "SINE": rest,
        "SINE_AFTER_SIXTH": more,
        "COSINE": even,
    }


def exponentials() -> dict[str, object]:
    """2^(j/64) in two parts, and (e^r - 1 - r) / r^2 for |r| < 0.0055 by its Taylor series."""
    table = [parts(mp.mpf(2) ** (mp.mpf(j) / 64), 53) for j in range(64)]
    return {
        "STEPS_PER_LN2": float(64 / mp.log(2)),
        "STEP": parts(mp.log(2) / 64, 36),
        "POWERS_OF_TWO": [row[0] for row in table],
        "POWERS_OF_TWO_REST": [row[1] for row in table],
        "EXPONENTIAL": [float(1 / mp.factorial(n)) for n in range(2, 8)],
    }


def logarithms() -> dict[str, object]:
    """For m near 1 + j/128: c = 1/m to ten bits, and -log(c), in the upper cells -log(2 c), in two
    parts.

    The high parts are multiples of 2^-42, like that of log(2), so that their sums are exact.
    """
    unit = mp.mpf(2) ** -42
    inverse = [mp.nint(1024 / (1 + mp.mpf(j) / 128)) / 1024 for j in range(129)]
    table = [on_grid(-mp.log(c if j < SQRT_2_CELL else 2 * c), unit) for j, c in enumerate(inverse)]
    return {
        "SQRT_2_CELL": SQRT_2_CELL,
        "LN2": on_grid(mp.log(2), unit),
        "INVERSE": [float(c) for c in inverse],
        "LOG": [row[0] for row in table],
        "LOG_REST": [row[1] for row in table],
        "PER_LN2": parts(1 / mp.log(2), 53),
        "PER_LN10": parts(1 / mp.log(10), 53),
        "LOGARITHM": [float(mp.mpf((-1) ** n) / (n + 3)) for n in range(6)],
    }


def arcs() -> dict[str, object]:
    """atan(j/32) in two parts, and (atan(t) - t) / t^3 as a Taylor series in t^2 for |t| < 1/63."""
    table = [parts(mp.atan(mp.mpf(j) / 32), 53) if j else [0.0, 0.0] for j in range(33)]
    return {
        "ARC": [row[0] for row in table],
        "ARC_REST": [row[1] for row in table],
        "ARC_TANGENT": [float(mp.mpf((-1) ** (n + 1)) / (2 * n + 3)) for n in range(5)],
    }


def written(name: str, value: object) -> str:
    """Python source of a constant: a number, a tuple, or an array if it is long."""
    if not isinstance(value, Sequence):
        return f"{name} = {value!r}\n"
    if len(value) < 20:
        return _wrapped(f"{name} = (", [repr(x) for x in value], ")")
    return _wrapped(f"{name} = np.array([", [repr(x) for x in value], "])")


def _wrapped(head: str, items: list[str], tail: str) -> str:
    lines, line = [], head
    for k, item in enumerate(items):
        last = k == len(items) - 1
        more = item + ("" if last else ", ")
        if len(line + more.rstrip()) + len(tail) * last > 124:
            lines.append(line.rstrip())
            line = "    "
        line += more
    return "\n".join([*lines, line + tail]) + "\n"


def text() -> str:
    """Text of the file."""
    with mp.workprec(BITS):
        rows = {**turns(), **exponentials(), **logarithms(), **arcs()}
    return HEAD + "".join(written(name, value) for name, value in rows.items())


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
