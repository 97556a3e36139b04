"""Numbers as polynomials of parameters, found at samples and checked at others.

With parameters u scaled to [-1, 1], a number that depends on the parameters S is

    number = sum over e of  c_e  prod over i in S of  u_i^e_i,       sum of e <= degree

The coefficients are those of least squares at the samples. A number is accepted only if the
polynomial also has its values, to rounding, at points that were not used for the fit; otherwise a
higher degree is tried, and a number that is no polynomial of low degree is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product as tuples

import numpy as np

from ...kernel.linalg import lstsq

DEGREES = (1, 2, 3, 4, 6)
MOST_TERMS = 90  # of a polynomial
FRESH = 4  # points of the check
BESIDE = 0.01  # of the largest component of the same vector, that counts like the number itself
ROUNDING = 2e-14  # relative to the largest value of a number, that a polynomial may differ


@dataclass(frozen=True)
class Terms:
    """Polynomials of the same parameters."""

    exponents: np.ndarray  # (terms, parameters of the study)
    coefficients: np.ndarray  # (terms, numbers)
    numbers: np.ndarray  # their indices

    def values(self, U: np.ndarray) -> np.ndarray:
        """(points, numbers) at scaled parameters (points, parameters), the same for each point
        whatever the others are.
        """
        found = np.zeros((len(U), len(self.numbers)))
        for exponent, c in zip(self.exponents, self.coefficients):
            power = np.ones(len(U))
            for i in np.flatnonzero(exponent):
                for _ in range(exponent[i]):
                    power = power * U[:, i]
            found += power[:, None] * c
        return found


def fit(
    depends: np.ndarray,
    numbers: np.ndarray,
    sizes: np.ndarray,
    sample: Callable[[int], tuple[np.ndarray, np.ndarray]],
) -> tuple[list[Terms], np.ndarray]:
    """Polynomials of numbers, and the numbers that are none.

    depends: (numbers, parameters), which number depends on which parameter. sizes: of the numbers
    beside each one, whose rounding errors it may have. sample(n) returns the scaled parameters and
    all numbers at n points at least, the first ones always the same.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for row, k in zip(depends, numbers):
        groups.setdefault(tuple(np.flatnonzero(row)), []).append(int(k))
    found, wild = [], list[int]()
    for parameters, members in groups.items():
        left = np.array(members)
        for degree in DEGREES:
            exponents = _exponents(parameters, degree, depends.shape[1])
            if not len(left) or len(exponents) > MOST_TERMS:
                break
            terms, left = _accepted(exponents, left, sizes, sample)
            if len(terms.numbers):
                found.append(terms)
        wild.extend(map(int, left))
    return found, np.array(sorted(wild), int)


def _exponents(parameters: tuple[int, ...], degree: int, count: int) -> np.ndarray:
    if len(parameters) > 12 and degree > 1:
        return np.zeros((MOST_TERMS + 1, count), int)
    powers = [e for e in _powers(len(parameters), degree)]
    found = np.zeros((len(powers), count), int)
    found[:, list(parameters)] = powers
    return found


def _powers(count: int, degree: int) -> list[tuple[int, ...]]:
    if degree == 1:
        return [(0,) * count, *(tuple(int(i == k) for i in range(count)) for k in range(count))]
    return [e for e in tuples(range(degree + 1), repeat=count) if sum(e) <= degree]


def _accepted(
    exponents: np.ndarray,
    numbers: np.ndarray,
    sizes: np.ndarray,
    sample: Callable[[int], tuple[np.ndarray, np.ndarray]],
) -> tuple[Terms, np.ndarray]:
    """The polynomials that hold at fresh points, and the numbers that have none of this degree."""
    used = len(exponents) + len(exponents) // 2 + 2
    U, V = sample(used + FRESH)
    basis = np.prod(U[:, None, :] ** exponents[None], axis=2)
    values = V[:, numbers]
    size = np.maximum(np.abs(values).max(axis=0), BESIDE * sizes[numbers])
    with np.errstate(invalid="ignore"):
        known = np.isfinite(values).all(axis=0)
    coefficients = np.zeros((len(exponents), len(numbers)))
    if known.any():
        coefficients[:, known] = lstsq(basis[:used], values[:used, known])
    coefficients[np.abs(coefficients) < 1e-15 * size] = 0.0
    terms = Terms(exponents, coefficients, numbers)
    apart = np.abs(terms.values(U) - values).max(axis=0)
    good = known & (apart <= ROUNDING * size)
    return Terms(exponents, coefficients[:, good], numbers[good]), numbers[~good]
