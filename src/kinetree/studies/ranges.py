"""The values of one parameter: a number, a list, a range, or a distribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.checks import numbers
from ..errors import ModelError, no_such, short
from ..kernel.frames import number

FORMS = (
    "a number, (low, high), {'values': [..]}, {'low': .., 'high': ..}, {'mean': .., 'sd': ..}, "
    "{'nominal': .., 'tolerance': ..}, or a distribution of scipy.stats"
)
TAIL = 1e-12  # probability that is cut off at an infinite end


@dataclass(frozen=True)
class Range:
    """The values of a parameter, with their distribution.

    quantile    value below which a part of all values lies
    low, high   limits; those of distributions without limits cut off a probability of 1e-12
    """

    quantile: Callable[[np.ndarray], np.ndarray]
    low: float
    high: float
    text: str


def range_of(name: str, given: Any) -> Range:
    """The range of a parameter with infinitely many values."""
    what = f"parameter {name!r}"
    if isinstance(given, Range):
        return given
    if isinstance(given, Mapping):
        return _told(name, given)
    if isinstance(given, tuple) and len(given) == 2:
        low, high = number(given[0], what), number(given[1], what)
        return _uniform(what, low, high)
    if hasattr(given, "ppf"):
        return _distributed(what, given)
    raise ModelError(f"{what} must be {FORMS}, got {short(given)}.")


def _uniform(what: str, low: float, high: float) -> Range:
    if not low < high:
        raise ModelError(f"{what}: the range from {low:g} to {high:g} is empty; give low < high.")
    return Range(lambda u: low + (high - low) * u, low, high, f"uniform({low!r}, {high!r})")


def _told(name: str, given: Mapping[str, Any]) -> Range:
    what, keys = f"parameter {name!r}", set(given)
    known = ({"low", "high"}, {"mean", "sd"}, {"nominal", "tolerance"}, {"low", "mode", "high"})
    if keys == {"nominal", "tolerance"}:
        middle, half = number(given["nominal"], what), number(given["tolerance"], what)
        return _uniform(what, middle - half, middle + half)
    if keys == {"low", "high"}:
        return _uniform(what, number(given["low"], what), number(given["high"], what))
    if keys == {"mean", "sd"}:
        from scipy import stats

        sd = number(given["sd"], f"{what}: sd", positive=True)
        return _distributed(what, stats.norm(number(given["mean"], what), sd))
    if keys == {"low", "mode", "high"}:
        from scipy import stats

        low, mode, high = (number(given[k], what) for k in ("low", "mode", "high"))
        if not low <= mode <= high or low == high:
            raise ModelError(f"{what}: give low <= mode <= high, got {low:g}, {mode:g}, {high:g}.")
        return _distributed(what, stats.triang((mode - low) / (high - low), low, high - low))
    allowed = [", ".join(sorted(one)) for one in known]
    extra = next(iter(keys - set().union(*known)), None)
    if extra is not None:
        raise no_such("entry", extra, sorted(set().union(*known) | {"values"}), f" of {what}")
    raise ModelError(f"{what} has {', '.join(map(str, given))}; give one of: {'; '.join(allowed)}.")


def _distributed(what: str, distribution: Any) -> Range:
    ends = np.array([distribution.ppf(TAIL), distribution.ppf(1.0 - TAIL)], float)
    if not np.isfinite(ends).all() or not ends[0] < ends[1]:
        raise ModelError(f"{what}: the distribution has no range of values; check its numbers.")
    name = getattr(getattr(distribution, "dist", None), "name", type(distribution).__name__)
    told = (getattr(distribution, "args", ()), getattr(distribution, "kwds", {}))
    low, high = map(float, ends)
    inside = lambda u: np.clip(np.asarray(distribution.ppf(u), float), low, high)  # noqa: E731
    return Range(inside, low, high, f"{name}{told}")


def values_of(name: str, given: Any) -> np.ndarray:
    """The values of a parameter that has a list of them."""
    what = f"parameter {name!r}"
    if isinstance(given, Mapping):
        if set(given) == {"values"}:
            return values_of(name, given["values"])
        if set(given) == {"low", "high", "count"}:
            count = given["count"]
            if not isinstance(count, int) or count < 2:
                raise ModelError(f"{what}: count must be an integer of at least 2.")
            return np.linspace(number(given["low"], what), number(given["high"], what), count)
        raise ModelError(
            f"{what}: a grid needs values=[..] or low, high and count; got {', '.join(map(str, given))}."
        )
    if isinstance(given, (Sequence, np.ndarray)) and not isinstance(given, str):
        found = numbers(np.asarray(given), None, what)
        if not len(found):
            raise ModelError(f"{what} has no values.")
        return found
    return np.array([number(given, what)])
