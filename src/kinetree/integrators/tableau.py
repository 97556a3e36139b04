"""Runge-Kutta methods as numbers: a tableau is data, so that a new method compiles nothing (`runge_kutta.py`).

    k_s = f(t + c_s h, y + h sum_{r<s} a_sr k_r),   s = 1 .. S           Y = y + h sum b_s k_s,   k_{S+1} = f(t + h, Y)
    error = h sum e_s k_s                          with a second estimate:  e^2 / sqrt(e^2 + e2^2 / 100)   [Hairer1993, II.10]

Inside the step, with u = 1 - s,

    y(t + s h) = y + s (r1 + u (r2 + s (r3 + u (r4 + s (r5 + u (r6 + s r7))))))                       [Hairer1993, sec. II.6]
    r1 = Y - y,   r2 = h k_1 - r1,   r3 = r1 - h k_{S+1} - r2,   r4 .. r7 = h sum d_s k_s

which is the cubic through both ends and their slopes where a method has no r4 of its own. Stages after k_{S+1} serve only
this polynomial and are evaluated where a sample needs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .memory import WIDTH

INFO, C, B, E, E2, D, A = 0, 1, 2, 3, 4, 5, 9  # rows of the coefficients; D has four, A one for each stage
STAGES, EXTRA, DENSE, EARLY, TWICE, ORDER, POWER, PAST = range(8)  # columns of INFO
MOST = WIDTH  # stages, all in all


@dataclass(frozen=True)
class Tableau:
    """One method; weights of a row may be shorter than the number of stages."""

    order: int
    b: tuple[float, ...]  # one weight per stage
    c: tuple[float, ...]  # of the stages; then 1, and of those for the polynomial only
    a: tuple[tuple[float, ...], ...]  # a row for each stage after the first; then b, and those for the polynomial only
    error: tuple[float, ...] = ()  # none: fixed steps only
    second: tuple[float, ...] = ()
    inside: tuple[tuple[float, ...], ...] = ()  # rows of r4 and on
    power: float = 0.0  # the next step is 0.9 h error^-power error_old^past, error_old being that of the step before
    past: float = 0.0

    def coefficients(self, order: int = 0) -> np.ndarray:
        """What the kernels read, and never write."""
        return self._rows

    @cached_property
    def _rows(self) -> np.ndarray:
        rows, stages = np.zeros((A + MOST, WIDTH)), len(self.b)
        early = len(self.error) > stages  # the error needs the slope at the end, before anything is settled there
        rows[INFO, : PAST + 1] = (stages, max(len(self.c) - stages - 1, 0), len(self.inside), early, len(self.second) > 0,
                                  self.order, self.power, self.past)
        for at, weights in ((C, self.c), (B, self.b), (E, self.error), (E2, self.second)):
            rows[at, : len(weights)] = weights
        for first, block in ((D, self.inside), (A + 1, self.a)):
            for k, weights in enumerate(block):
                rows[first + k, : len(weights)] = weights
        return rows
