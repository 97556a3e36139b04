"""Uneven parts of a road, and how far a wheel may travel there in one step, so that no feature is
stepped over.

A wheel outside a span may travel half the distance to it, and then the distance that the span
allows: even a wheel that accelerates from rest as fast as its steps grow does not reach the other
side.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...kernel.decorators import inline
from ..signals.constant import Constant
from ..signals.contract import Signal

if TYPE_CHECKING:
    from .road import Road

PART, SHORTEST = 0.125, 0.25  # of a feature, and of the wheel's radius: what no step may exceed


class Span(NamedTuple):
    """From `begin` to `end` along x a wheel may travel `way` meters in one step."""

    begin: float
    end: float
    way: float


def spans_of(road: Road, radius: float) -> tuple[Span, ...]:
    """Return the spans in which any point of a wheel of that radius is above a feature."""
    found = [s for profile in road.profiles for s in _of_profile(profile, radius)]
    for one in road.obstacles:
        at, half, _, rim, *_ = one.row
        reach = half + rim + radius
        found.append(Span(at - reach, at + reach, max(PART * 2.0 * reach, SHORTEST * radius)))
    if road.resolution is not None:
        found = [span._replace(way=min(span.way, road.resolution)) for span in found]
    return tuple(sorted(found))


def _of_profile(profile: Signal, radius: float) -> list[Span]:
    """Return the spans between the points where the profile is not smooth, or all of it if
    there are none.
    """
    if isinstance(profile, Constant):
        return []
    marks = np.array([x for x in profile.breaks() if math.isfinite(x)])
    if len(marks) < 2:
        return [Span(-math.inf, math.inf, 2.0 * SHORTEST * radius)]
    way = max(2.0 * PART * float(np.diff(marks).min()), SHORTEST * radius)
    return [Span(float(marks[0]) - radius, float(marks[-1]) + radius, way)]


@inline
def longest_step(pool, first, count, x, speed):
    """Longest step (s) of a wheel at x with that velocity along x, from the spans in the pool."""
    way = math.inf
    for k in range(count):
        begin, end = pool[first + 3 * k], pool[first + 3 * k + 1]
        gap = max(begin - x, x - end, 0.0)
        if gap == 0.0 or (speed > 0.0) == (begin > x):  # in it, or on the way there
            way = min(way, 0.5 * gap + pool[first + 3 * k + 2])
    return way / abs(speed) if speed != 0.0 else math.inf
