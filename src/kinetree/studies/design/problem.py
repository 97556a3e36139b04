"""What is optimized: an output, a sum of squares, or the largest deviation, under limits of outputs.

Parameters are scaled to u = (p - low) / (high - low). A case that cannot be computed (it does not
assemble, or stops) has no value: NaN here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import ModelError, short
from .evaluator import Evaluator, Values

SQUARES, LARGEST = "squares", "largest"


@dataclass
class Problem:
    """Objective and limits as functions of the scaled parameters u.

    evaluator   values and derivatives of the outputs
    goal        (name of an output, sign), or a function of all outputs
    fit         target of each fitted output
    limits      (low, high) of outputs, None where there is no limit
    """

    evaluator: Evaluator
    goal: tuple[str, float] | Callable[[Values], float] | None
    fit: dict[str, np.ndarray]
    weights: dict[str, np.ndarray]
    limits: dict[str, tuple[float | None, float | None]]
    norm: str = SQUARES
    history: list[tuple[np.ndarray, float]] = field(default_factory=list)
    _u: np.ndarray | None = None
    _y: np.ndarray | None = None
    _J: np.ndarray | None = None

    def parameters(self, u: np.ndarray) -> np.ndarray:
        """Parameters in their units."""
        e = self.evaluator
        return np.clip(e.low + (e.high - e.low) * np.asarray(u, float), e.low, e.high)

    def outputs(self, u: np.ndarray) -> np.ndarray:
        """All outputs as one row; the last one is remembered."""
        if self._u is None or not np.array_equal(u, self._u):
            self._u, self._J = np.array(u, float), None
            self._y = self.evaluator.values(self.parameters(u))[0]
            self.history.append((self._u, self.value(self._y)))
        assert self._y is not None
        return self._y

    def slopes(self, u: np.ndarray) -> np.ndarray:
        """d outputs / d u."""
        self.outputs(u)
        if self._J is None:
            e = self.evaluator
            self._J = e.jacobian(self.parameters(u)) * (e.high - e.low)
        return self._J

    # --- objective

    def value(self, y: np.ndarray) -> float:
        """The objective from the outputs; the largest deviation, half the sum of squares, ..."""
        if not np.isfinite(y).all():
            return np.nan
        if self.fit:
            r = self.residuals(y)
            return float(np.abs(r).max() if self.norm == LARGEST else 0.5 * np.sum(r * r))
        values = self.evaluator.split(y)
        if callable(self.goal):
            return float(self.goal(values))
        assert self.goal is not None
        name, sign = self.goal
        return sign * float(values[name])

    def residuals(self, y: np.ndarray) -> np.ndarray:
        """Weighted deviations of the fitted outputs from their targets."""
        values = self.evaluator.split(y)
        return np.concatenate(
            [np.ravel(self.weights[k] * (values[k] - target)) for k, target in self.fit.items()]
        )

    def residual_slopes(self, u: np.ndarray) -> np.ndarray:
        """d residuals / d u."""
        found = self.evaluator.split(self.slopes(u))
        k = len(u)
        return np.concatenate([
            (np.broadcast_to(self.weights[n], target.shape)[..., None]
             * found[n].reshape((*target.shape, k))).reshape(-1, k)
            for n, target in self.fit.items()
        ])  # fmt: skip

    def gradient(self, u: np.ndarray) -> np.ndarray:
        """d objective / d u."""
        y, J = self.outputs(u), self.slopes(u)
        if self.fit:
            return self.residual_slopes(u).T @ self.residuals(y)
        if callable(self.goal):
            return self._goal_slopes(y) @ J
        assert self.goal is not None
        name, sign = self.goal
        return sign * self.evaluator.split(J)[name].reshape(-1)

    def _goal_slopes(self, y: np.ndarray) -> np.ndarray:
        """d goal / d outputs of a function of the user, by central differences."""
        found = np.zeros(len(y))
        for k in range(len(y)):
            h = 1e-6 * max(abs(y[k]), 1e-3)
            up, down = y.copy(), y.copy()
            up[k], down[k] = y[k] + h, y[k] - h
            found[k] = (self.value(up) - self.value(down)) / (2.0 * h)
        return found

    # --- limits

    def margins(self, u: np.ndarray) -> np.ndarray:
        """Distances of the outputs from their limits, negative beyond, relative to the limit."""
        values = self.evaluator.split(self.outputs(u))
        return np.concatenate([sign * (np.ravel(values[n]) - bound) / _size(bound)
                               for n, bound, sign in self._bounds()] or [np.zeros(0)])  # fmt: skip

    def margin_slopes(self, u: np.ndarray) -> np.ndarray:
        """d margins / d u."""
        found, k = self.evaluator.split(self.slopes(u)), len(u)
        return np.concatenate([sign * found[n].reshape(-1, k) / _size(bound)
                               for n, bound, sign in self._bounds()] or [np.zeros((0, k))])  # fmt: skip

    def _bounds(self) -> list[tuple[str, float, float]]:
        return [
            (name, bound, sign)
            for name, pair in self.limits.items()
            for bound, sign in zip(pair, (1.0, -1.0))
            if bound is not None
        ]


def _size(bound: float) -> float:
    return abs(bound) or 1.0


def fitted(
    given: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, np.ndarray]:
    """Targets with the shapes of their outputs."""
    found = {}
    for name, target in given.items():
        try:
            value = np.asarray(target, float)
        except (TypeError, ValueError):
            raise ModelError(
                f"fit: the target of {name!r} must be numbers, got {short(target)}."
            ) from None
        if value.shape not in ((), shapes[name]):
            raise ModelError(
                f"fit: the target of {name!r} has shape {value.shape}, but the output has "
                f"{shapes[name]}; give one number for each time."
            )
        if not np.isfinite(value).all():
            raise ModelError(f"fit: the target of {name!r} has values that are not finite.")
        found[name] = np.broadcast_to(value, shapes[name]).astype(float)
    return found
