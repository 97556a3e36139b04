"""Sign changes of a value along a track, each once, and points at which it only touches zero.

The nodes are those of the track, the points between them where its polynomials turn, and more where
a value changes faster than the motion (detector.py). A change of sign between two neighbors
encloses a root, found by evaluating several times at once. Where three neighbors of one sign bend
towards zero, the extremum between them is located: within `touch` of zero the value touches it,
once. A short excursion of a value that is smooth at all nodes, such as a pulse between two of them,
can be missed; `max_step` limits its length.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...kernel.mathematics import cos, each

_POINTS = 0.5 - 0.5 * each(cos, np.pi * np.arange(1, 8) / 8)  # between the ends of an interval
_AROUND = np.concatenate(
    [[0.0], *([-x, x] for x in (1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2))]
)  # of an interval, around a root
_CLOSE, _PARTS, _ROUNDS = np.array([-2.0, 2.0]), np.arange(0.1, 0.95, 0.1), 60
_PROBES = np.array(
    [1e-4, 1e-3, 1e-2, 1e-1, 1.0]
)  # of the first interval: where a value that starts at zero goes


class Crossing(NamedTuple):
    """A time, and +1 if the value rises there, -1 if it falls, 0 if it touches zero."""

    t: float
    direction: int


class Line(NamedTuple):
    """A value along a track."""

    t: np.ndarray  # nodes
    value: np.ndarray
    many: Callable[[np.ndarray], np.ndarray]  # at several times in between
    touch: float  # a value as small is a touch
    noise: float  # and as small as this no value at all

    def at(self, t: float) -> float:
        """The value at one time."""
        return float(self.many(np.array([t]))[0])


def crossings(
    line: Line, sign: int, first: int = 0, from_zero: bool = False
) -> tuple[list[Crossing], int]:
    """All crossings from node `first` on, and the sign at the last node.

    The value has `sign` at node `first` (0: it starts at zero).
    """
    found: list[Crossing] = []
    start, known, k0 = line.t[first], sign, first
    if sign == 0:
        start, known, k0 = _leaving(line, first)
    elif from_zero:
        start = _seen(line, first, sign)
    value = line.value.copy()
    value[: k0 + 1] = known  # as seen just after the start
    for k in range(k0 + 1, len(value)):
        now = int(np.sign(value[k]))
        if now == 0:
            continue
        if known != 0 and now != known:
            found.append(Crossing(_root(line, start, line.t[k], known), now))
        start, known = line.t[k], now
    found += _bends(line, first)
    return _merged(line, sorted(found)), known


def _leaving(line: Line, first: int) -> tuple[float, int, int]:
    """The node at which a value that was zero has a sign, that sign, and the last node before."""
    for k in range(first, len(line.t) - 1):
        a, b = line.t[k], line.t[k + 1]
        for part in _PROBES if k == first else (1.0,):
            value = line.value[k + 1] if part == 1.0 else line.at(a + part * (b - a))
            if abs(value) > line.noise:
                return a + part * (b - a), int(np.sign(value)), k
    return line.t[-1], 0, len(line.t) - 1


def _seen(line: Line, first: int, sign: int) -> float:
    """The last probe of the first interval at which the value has left zero with its sign."""
    a, b = line.t[first : first + 2]
    return next(
        (
            a + part * (b - a)
            for part in _PROBES[-2::-1]
            if sign * line.at(a + part * (b - a)) > line.noise
        ),
        a,
    )


def _root(line: Line, a: float, b: float, sign: int) -> float:
    """The first time at which the value loses its sign; the start of the interval if it has none
    there.

    Values at many times cost as much as at one. So the first round uses Chebyshev points, whose
    polynomial estimates the root, and every further round uses times around the last estimate: the
    bracket shrinks at least to a tenth, most often to rounding.
    """
    t = np.array([a, b])
    g = line.many(t)
    if g[0] * sign <= 0.0:
        return float(a)
    if g[0] * g[1] > 0.0:
        return float(b)
    t, g = _bracket(line, t, g, t[0] + (t[1] - t[0]) * _POINTS, sign, all_of_them=True)
    spacing = float(np.spacing(max(abs(a), abs(b))))
    for _ in range(_ROUNDS):
        told, (first, last) = _told(t, g, sign), _ends(t, g, sign)
        if last - first <= 4.0 * spacing:
            break
        around = np.concatenate(
            [
                told + (last - first) * _AROUND,
                told + spacing * _CLOSE,
                first + (last - first) * _PARTS,
            ]
        )
        t, g = _bracket(line, t, g, around[(around > first) & (around < last)], sign)
    return float(t[np.argmin(np.abs(g))])


def _bracket(
    line: Line, t: np.ndarray, g: np.ndarray, more: np.ndarray, sign: int, all_of_them: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Times and values with further times: all of them, or the two around the root."""
    more = np.unique(more)
    order = np.argsort(np.concatenate([t, more]), kind="stable")
    t, g = np.concatenate([t, more])[order], np.concatenate([g, line.many(more)])[order]
    k = int(np.argmax(g * sign <= 0.0))
    return (t, g) if all_of_them else (t[k - 1 : k + 1], g[k - 1 : k + 1])


def _ends(t: np.ndarray, g: np.ndarray, sign: int) -> tuple[float, float]:
    """The neighbors between which the sign changes."""
    k = int(np.argmax(g * sign <= 0.0))
    return float(t[k - 1]), float(t[k])


def _told(t: np.ndarray, g: np.ndarray, sign: int) -> float:
    """The root of the polynomial through the values; of the straight line for two values."""
    first, last = _ends(t, g, sign)
    if len(t) == 2:
        return first + (last - first) * float(g[0] / (g[0] - g[1]))
    from scipy.optimize import brentq  # slow to import

    s = (t - first) / (last - first)
    return first + (last - first) * float(brentq(_through(s.tolist(), g.tolist()), 0.0, 1.0))


def _through(s: list[float], g: list[float]) -> Callable[[float], float]:
    """The polynomial through values, in barycentric form."""
    weights = [1.0 / math.prod(a - b for b in s if b != a) for a in s]

    def value(x: float) -> float:
        if x in s:
            return g[s.index(x)]
        shares = [w / (x - a) for w, a in zip(weights, s)]
        return math.fsum(share * one for share, one in zip(shares, g)) / math.fsum(shares)

    return value


def _bends(line: Line, first: int) -> list[Crossing]:
    """Double roots and touches between three neighbors of one sign, the middle one smallest."""
    g, found = line.value, []
    size, side = np.abs(g), np.sign(g)
    low = (
        (size[1:-1] <= size[:-2])
        & (size[1:-1] <= size[2:])
        & (side[:-2] * side[2:] > 0)
        & (side[1:-1] * side[2:] >= 0)
    )
    for k in np.flatnonzero(low) + 1:
        if k < max(first, 1) or not _near(line.t[k - 1 : k + 2], g[k - 1 : k + 2], line.touch):
            continue
        a, b, sign = line.t[k - 1], line.t[k + 1], int(side[k - 1])
        t, least = _lowest(line, a, b, sign)
        if least < -line.touch:
            found += [
                Crossing(_root(line, a, t, sign), -sign),
                Crossing(_root(line, t, b, -sign), sign),
            ]
        elif least <= line.touch:
            found.append(Crossing(t, 0))
    return found


def _near(t: np.ndarray, g: np.ndarray, touch: float) -> bool:
    """Whether the parabola through three values comes close to zero."""
    if abs(g[1]) <= 2.0 * touch:
        return True
    if not t[0] < t[1] < t[2]:  # nodes of a step without length
        return False
    left, right = (g[1] - g[0]) / (t[1] - t[0]), (g[2] - g[1]) / (t[2] - t[1])
    bend = (right - left) / (t[2] - t[0])
    if bend == 0.0:
        return False
    slope = left + bend * (t[1] - t[0])
    lowest = g[1] - slope * slope / (4.0 * bend)
    return lowest * g[1] <= 0.0 or abs(lowest) < 0.5 * abs(g[1])


def _lowest(line: Line, a: float, b: float, sign: int) -> tuple[float, float]:
    """Time and value of the extremum towards zero."""
    from scipy.optimize import minimize_scalar  # slow to import

    found = minimize_scalar(
        lambda t: sign * line.at(t),
        bounds=(a, b),
        method="bounded",
        options={"xatol": 1e-9 * (b - a)},
    )
    return float(found.x), float(found.fun)


def _merged(line: Line, found: list[Crossing]) -> list[Crossing]:
    """The crossings with close pairs merged: two roots between which the value stays within `touch`
    are one touch.
    """
    out: list[Crossing] = []
    for one in found:
        if out and _only_touches(line, out[-1], one):
            middle = 0.5 * (out[-1].t + one.t)
            out[-1] = Crossing(middle if one.direction and out[-1].direction else out[-1].t, 0)
        else:
            out.append(one)
    return out


def _only_touches(line: Line, one: Crossing, other: Crossing) -> bool:
    if np.abs(line.value[(line.t > one.t) & (line.t < other.t)]).max(initial=0.0) > line.touch:
        return False
    inside = [line.at(one.t + part * (other.t - one.t)) for part in (0.25, 0.5, 0.75)]
    return max(map(abs, inside)) <= line.touch
