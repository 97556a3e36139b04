"""Runge-Kutta methods as coefficients: a new tableau compiles no code (runge_kutta.py).

    k_s = f(t + c_s h, y + h sum_{r<s} a_sr k_r),   s = 1 .. S
    Y = y + h sum b_s k_s,       k_{S+1} = f(t + h, Y)
    error = h sum e_s k_s,       with a second estimate:  e^2 / sqrt(e^2 + e2^2 / 100)
                                                                      [Hairer1993, II.10]

Inside the step, with u = 1 - s [Hairer1993, sec. II.6],

    y(t + s h) = y + s (r1 + u (r2 + s (r3 + u (r4 + s (r5 + u (r6 + s r7))))))
    r1 = Y - y,   r2 = h k_1 - r1,   r3 = r1 - h k_{S+1} - r2,   r4 .. r7 = h sum d_s k_s

which is the cubic through both ends and their slopes where a method has no r4 of its own. Stages
after k_{S+1} serve only this polynomial, and are evaluated only where a sample needs them.

The error is the difference to a second formula of the same stages, y + h sum (b_s - e_s) k_s, of
order p^ < p. It falls as h^(p^ + 1), so the next step is 0.9 h error^-power, power = 1 / (p^ + 1).
A tableau whose formulas do not have their orders is refused with the condition that fails
(order_conditions.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ....errors import ModelError
from ....kernel.frames import numbers
from ..memory import WIDTH
from .order_conditions import CLOSE, failing

# rows of the coefficients; D has four rows, A one for each stage
INFO, C, B, E, E2, D, A = 0, 1, 2, 3, 4, 5, 9
STAGES, EXTRA, DENSE, EARLY, TWICE, ORDER, POWER, PAST = range(8)  # columns of INFO
MOST = WIDTH  # stages in total


@dataclass(frozen=True)
class Tableau:
    """One method; a row of weights may be shorter than the number of stages.

    order      of the formula that advances the state
    b          one weight per stage
    c          times of the stages; then 1, and those of stages for the polynomial only
    a          a row for each stage after the first; then b, and rows for the polynomial only
    error      weights of the error, b minus those of the second formula; none: fixed steps only
    second     weights of a second estimate of the error
    inside     rows of r4 and on
    embedded   orders of the second formulas of `error` and `second`; by default one less than order
    power      of the rule for the next step, 0.9 h error^-power error_old^past; by default
               1 / (1 + the order of the second formula)
    past       exponent of error_old, the error of the step before
    """

    order: int
    b: tuple[float, ...]
    c: tuple[float, ...]
    a: tuple[tuple[float, ...], ...]
    error: tuple[float, ...] = ()
    second: tuple[float, ...] = ()
    inside: tuple[tuple[float, ...], ...] = ()
    embedded: tuple[int, ...] = ()
    power: float | None = None
    past: float = 0.0

    def __post_init__(self) -> None:
        self._check_shape()
        a = self._matrix()
        self._check_rows(a)
        for name, weights, order in self._formulas():
            padded = np.zeros(len(a))
            padded[: len(weights)] = weights
            missed = failing(a, padded, order)
            if missed is not None:
                raise ModelError(f"Tableau: {name} is not of order {order}: {missed}.")

    @property
    def step_power(self) -> float:
        """Power of the rule for the next step; 0 without an estimate of the error."""
        if self.power is not None or not self.error:
            return self.power or 0.0
        return 1.0 / (1.0 + min(self._orders()[0], self.order))

    def _orders(self) -> tuple[int, ...]:
        return tuple(self.embedded) or (self.order - 1,) * 2

    def _formulas(self) -> list[tuple[str, np.ndarray, int]]:
        """Name, weights and order of the formula of the method and of those of its estimates."""
        found = [("the method", np.array(self.b, float), self.order)]
        for name, weights, order in zip(
            ("error", "second"), (self.error, self.second), self._orders()
        ):
            if weights:
                b = np.zeros(max(len(weights), len(self.b)))
                b[: len(self.b)] = self.b
                b[: len(weights)] -= weights
                found.append((f"the second formula of `{name}` (weights b - {name})", b, order))
        return found

    def _matrix(self) -> np.ndarray:
        """a_ij of the stages and of the slope at the end, whose row is b."""
        stages = len(self.b)
        a = np.zeros((stages + 1, stages + 1))
        for k, row in enumerate(self.a[: stages - 1], 1):
            a[k, : len(row)] = row
        a[stages, :stages] = self.b
        return a

    def _check_shape(self) -> None:
        stages = len(self.b)
        if not isinstance(self.order, int) or self.order < 1:
            raise ModelError(f"Tableau: order must be a positive integer, got {self.order!r}.")
        if not 1 <= stages <= len(self.c) <= MOST or len(self.a) < stages - 1:
            raise ModelError(
                f"Tableau: {stages} weights b need as many c (at most {MOST}) and {stages - 1} "
                "rows a, got "
                f"{len(self.c)} c and {len(self.a)} rows."
            )
        for name in ("b", "c", "error", "second"):
            numbers(getattr(self, name), len(getattr(self, name)), f"Tableau: {name}")
        for k, row in enumerate(self.a, 1):
            if len(row) > k:
                raise ModelError(
                    f"Tableau: stage {k + 1} has {len(row)} weights, but only {k} stages come "
                    "before it."
                )
            numbers(row, len(row), f"Tableau: row {k} of a")
        if len(self.error) > stages + 1 or len(self.second) > stages + 1:
            raise ModelError(
                f"Tableau: error has at most {stages + 1} weights, those of the stages and of the "
                "slope at the end."
            )
        if self.error and not any(self.error):
            raise ModelError(
                "Tableau: the weights of the error are all zero, so that no step would ever be "
                "rejected."
            )
        if self.power is not None and self.error and not self.power > 0.0:
            raise ModelError(
                f"Tableau: power must be positive, got {self.power!r}; leave it out to derive it "
                "from the order."
            )

    def _check_rows(self, a: np.ndarray) -> None:
        stages = len(self.b)
        later = [np.array(row, float) for row in self.a[stages - 1 :]]  # of the polynomial
        for k, (row, c) in enumerate(zip([*a[:stages], *later], self.c), 1):
            if not abs(row.sum() - c) <= CLOSE * max(1.0, np.abs(row).sum()):
                raise ModelError(
                    f"Tableau: the condition sum a = c fails at stage {k}: {row.sum():.10g} "
                    f"instead of {c:.10g}."
                )

    def coefficients(self, order: int = 0) -> np.ndarray:
        """Coefficients for the kernels, which do not change them."""
        return self._rows

    @cached_property
    def _rows(self) -> np.ndarray:
        rows, stages = np.zeros((A + MOST, WIDTH)), len(self.b)
        early = len(self.error) > stages  # the error needs the slope at the end
        rows[INFO, : PAST + 1] = (
            stages,
            max(len(self.c) - stages - 1, 0),
            len(self.inside),
            early,
            len(self.second) > 0,
            self.order,
            self.step_power,
            self.past,
        )
        for at, weights in ((C, self.c), (B, self.b), (E, self.error), (E2, self.second)):
            rows[at, : len(weights)] = weights
        for first, block in ((D, self.inside), (A + 1, self.a)):
            for k, weights in enumerate(block):
                rows[first + k, : len(weights)] = weights
        return rows
