"""Numbers of a model that a page computes from the values of its sliders.

Most are polynomials, found and checked by `studies/parameters`. A number that depends on one slider in
another way, such as the sine of an angle, is a Chebyshev series over the range of the slider,

    y(u) = sum_k c_k T_k(u),      c_k = (2 - [k = 0]) / n  sum_j y(u_j) T_k(u_j),

from its values at n Chebyshev nodes u_j; it is checked at other values of all sliders.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import ModelError
from ...studies.parameters.map import ParameterMap
from ...studies.parameters.polynomials import BESIDE

NODES = 48
CHECKS = 6  # fresh values of all sliders
ROUNDING = 1e-12  # relative to the largest number of the same field
# numbers that scale tolerances and tests alone: those of the first values are kept
_SCALES = ("settings[0].length", "settings[0].force", ".floor", "floor[")


def polynomials(
    found: ParameterMap, places: Callable[[int], list[list[int]]]
) -> list[dict[str, Any]]:
    """Powers and factors of the polynomials, and the places of their numbers in the arenas."""
    return [
        {
            "powers": terms.exponents.tolist(),
            "factors": terms.coefficients.T.tolist(),
            "at": [places(int(number)) for number in terms.numbers],
        }
        for terms in found.terms
        if len(terms.numbers)
    ]


def series(found: ParameterMap, places: Callable[[int], list[list[int]]]) -> list[dict[str, Any]]:
    """Chebyshev series of the other numbers, with the slider and the places of each."""
    numbers = np.array([k for k in found.irregular if not _is_scale(found.base.name(int(k)))], int)
    if not len(numbers):
        return []
    sliders = _sliders(found, numbers)
    nodes = np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
    values = {int(i): _along(found, int(i), nodes)[:, numbers] for i in np.unique(sliders)}
    basis = np.cos(np.outer(np.arange(NODES), np.arccos(nodes)))
    basis *= np.where(np.arange(NODES) > 0, 2.0, 1.0)[:, None] / NODES
    c = np.array([basis @ values[int(i)][:, n] for n, i in enumerate(sliders)])
    _check(found, numbers, sliders, c)
    return [
        {"slider": int(i), "at": places(int(number)), "c": _short(row)}
        for number, i, row in zip(numbers, sliders, c)
    ]


def _is_scale(name: str) -> bool:
    return any(name.endswith(one) or one in name for one in _SCALES)


def _sliders(found: ParameterMap, numbers: np.ndarray) -> np.ndarray:
    """The slider on which each number depends; an error if there are several."""
    place = np.searchsorted(found.changed, numbers)
    several = found.depends[place].sum(axis=1) > 1
    if several.any():
        k = int(numbers[several][0])
        names = [n for n, on in zip(found.names, found.depends[place][several][0]) if on]
        raise ModelError(
            f"a page cannot compute {found.base.name(k)} from the sliders {' and '.join(names)}: it is "
            "no polynomial of them. Leave out all of them but one, or give fixed values with fixed=."
        )
    return found.depends[place].argmax(axis=1)


def _along(found: ParameterMap, i: int, u: np.ndarray) -> np.ndarray:
    """All numbers at values of one slider in units of half its range, the others in the middle."""
    points = np.zeros((len(u), len(found.names)))
    points[:, i] = u
    return np.array([found._build(point).numbers for point in points])


def _check(found: ParameterMap, numbers: np.ndarray, sliders: np.ndarray, c: np.ndarray) -> None:
    """Raise an error if a series differs from the model at fresh values."""
    points = np.random.default_rng(0).uniform(-1.0, 1.0, (CHECKS, len(found.names)))
    exact = np.array([found._build(point).numbers[numbers] for point in points])
    angles = np.arccos(points[:, sliders])
    own = np.array([[np.cos(np.arange(NODES) * a) @ row for a, row in zip(r, c)] for r in angles])
    size = np.maximum(np.abs(exact).max(axis=0), BESIDE * found.base.sizes[numbers])
    apart = np.abs(own - exact).max(axis=0)
    bad = ~(apart <= ROUNDING * np.maximum(size, 1e-300))
    if bad.any():
        k = int(np.flatnonzero(bad)[0])
        raise ModelError(
            f"a page cannot compute {found.base.name(int(numbers[k]))} from the slider "
            f"{found.names[sliders[k]]!r}: it is no smooth function of it. Give a smaller range, or a "
            "fixed value with fixed=."
        )


def _short(c: np.ndarray) -> list[float]:
    """The coefficients without the last ones, which are rounding."""
    large = np.flatnonzero(np.abs(c) > 1e-17 * np.abs(c).max(initial=0.0))
    return c[: large[-1] + 1].tolist() if len(large) else [0.0]
