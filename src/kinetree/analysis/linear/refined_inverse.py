"""The same equations solved again and again near one place: with the inverse found there, and
corrections.

    v <- v + A0+ (b - A v)

At a distance d from that place a correction leaves about the part d of the error, so that a few
make it vanish, each with the work of a product, n^2, where solving anew is n^3. Redundant equations
do no harm as long as they agree.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...kernel.linalg import lstsq, pinv, product

CUT = 1e-9  # relative size below which a singular value is zero
_MOST, _SLOW, _ROUNDING, _ENOUGH = 30, 0.3, 1e-15, 1e-13


class RefinedInverse:
    """A pseudo-inverse, and what it solves around the place where it was found."""

    def __init__(self, inverse: np.ndarray) -> None:
        self.inverse = inverse

    @classmethod
    def of(cls, A: np.ndarray) -> RefinedInverse:
        return cls(pinv(A, rcond=CUT))

    @cached_property
    def transposed(self) -> RefinedInverse:
        return RefinedInverse(np.ascontiguousarray(self.inverse.T))

    def solve(self, A: np.ndarray, b: np.ndarray) -> np.ndarray:
        """v with A v = b, solved anew where corrections do not lead there."""
        found = self.corrected(A, b)
        return lstsq(A, b, rcond=CUT) if found is None else found

    def corrected(self, A: np.ndarray, b: np.ndarray) -> np.ndarray | None:
        """v by corrections alone; None where they are slow, or lead nowhere."""
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
