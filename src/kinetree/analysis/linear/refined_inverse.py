"""Repeated solutions of nearby linear equations with one pseudo-inverse and iterative refinement.

    v <- v + A0+ (b - A v)

At a distance d from the base position a correction reduces the error by a factor of about d. A few
corrections suffice, and each costs a product, O(n^2), instead of a factorization, O(n^3). Redundant
equations are allowed if they are consistent.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...kernel.linalg import lstsq, pinv, product

CUT = 1e-9  # relative size below which a singular value is zero
_MOST, _SLOW, _ROUNDING, _ENOUGH = 30, 0.3, 1e-15, 1e-13


class RefinedInverse:
    """A pseudo-inverse A0+ that solves nearby equations by refinement."""

    def __init__(self, inverse: np.ndarray) -> None:
        self.inverse = inverse

    @classmethod
    def of(cls, A: np.ndarray) -> RefinedInverse:
        return cls(pinv(A, rcond=CUT))

    @cached_property
    def transposed(self) -> RefinedInverse:
        return RefinedInverse(np.ascontiguousarray(self.inverse.T))

    def solve(self, A: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Solution v of A v = b, by least squares if the refinement does not converge."""
        found = self.corrected(A, b)
        return lstsq(A, b, rcond=CUT) if found is None else found

    def corrected(self, A: np.ndarray, b: np.ndarray) -> np.ndarray | None:
        """Solution v by refinement alone; None if it converges slowly or not at all."""
        v, before = product(self.inverse, b), np.inf
        for _ in range(_MOST):
            step = product(self.inverse, b - product(A, v))
            v = v + step
            change = np.abs(step).max(initial=0.0) / max(np.abs(v).max(initial=0.0), 1e-300)
            if change <= _ROUNDING:
                break
            if not change <= _SLOW * before:
                return v if change <= _ENOUGH else None
            before = change
        return v
