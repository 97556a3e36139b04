"""Local and global search for the optimum of a `Problem`, by scipy.optimize with exact gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import ModelError
from .problem import LARGEST, Problem

TIGHT = 1e-12
BATCH = 8  # points that Optuna proposes at once
MET = 1e-6  # relative violation of a limit of an output that is accepted


@dataclass(frozen=True)
class Search:
    """One search: where it began, where it ended, and why."""

    start: np.ndarray
    end: np.ndarray
    value: float
    evaluations: int
    met: bool  # whether all limits of outputs hold
    message: str


def local(problem: Problem, u: np.ndarray, most: int) -> Search:
    """Search downhill from u."""
    before = len(problem.history)
    if problem.fit and not problem.limits and problem.norm != LARGEST:
        end, message = _least_squares(problem, u, most)
    else:
        first = _least_squares(problem, u, most)[0] if problem.norm == LARGEST else u
        end, message = _programming(problem, first, most)
    y = problem.outputs(end)
    margins = problem.margins(end)
    met = bool((margins >= -MET).all()) if len(margins) else True
    return Search(u, end, problem.value(y), len(problem.history) - before, met, message)


def _least_squares(problem: Problem, u: np.ndarray, most: int) -> tuple[np.ndarray, str]:
    """Trust region with reflections at the limits; where no case exists the region shrinks."""
    from scipy.optimize import least_squares

    inside = np.clip(u, 1e-10, 1.0 - 1e-10)
    found = least_squares(
        lambda u: problem.residuals(problem.outputs(u)),
        inside,
        lambda u: _finite(problem.residual_slopes(u)),
        bounds=(0.0, 1.0),
        max_nfev=most,
        ftol=TIGHT,
        xtol=TIGHT,
        gtol=TIGHT,
    )
    return found.x, found.message


def _programming(problem: Problem, u: np.ndarray, most: int) -> tuple[np.ndarray, str]:
    """Sequential quadratic programming.

    The largest deviation s is one more unknown:  min s  with  -s <= r_i <= s.
    """
    from scipy.optimize import minimize

    n, largest = len(u), problem.norm == LARGEST and bool(problem.fit)
    scale = abs(problem.value(problem.outputs(u))) or 1.0
    worst = 1e3  # of the first value: beyond the limits of what can be computed

    def value(z: np.ndarray) -> float:
        if largest:
            return float(z[n])
        found = problem.value(problem.outputs(z[:n])) / scale
        return found if np.isfinite(found) else worst

    def gradient(z: np.ndarray) -> np.ndarray:
        if largest:
            return np.append(np.zeros(n), 1.0)
        return np.nan_to_num(problem.gradient(z[:n])) / scale

    def margins(z: np.ndarray) -> np.ndarray:
        found = problem.margins(z[:n])
        if largest:
            r = problem.residuals(problem.outputs(z[:n])) / scale
            found = np.concatenate([found, z[n] - r, z[n] + r])
        return np.where(np.isfinite(found), found, -worst)

    def margin_slopes(z: np.ndarray) -> np.ndarray:
        found = problem.margin_slopes(z[:n])
        if largest:
            R = problem.residual_slopes(z[:n]) / scale
            found = np.vstack([
                np.pad(found, ((0, 0), (0, 1))),
                np.pad(-R, ((0, 0), (0, 1)), constant_values=1.0),
                np.pad(R, ((0, 0), (0, 1)), constant_values=1.0),
            ])  # fmt: skip
        return np.nan_to_num(found)

    start = np.append(u, 1.0) if largest else u
    bounds = [(0.0, 1.0)] * n + ([(0.0, None)] if largest else [])
    limited = largest or bool(problem.limits)
    rules = [{"type": "ineq", "fun": margins, "jac": margin_slopes}] if limited else []
    found = minimize(
        value,
        start,
        jac=gradient,
        bounds=bounds,
        constraints=rules,
        method="SLSQP",
        options={"maxiter": most, "ftol": TIGHT},
    )
    return np.clip(found.x[:n], 0.0, 1.0), found.message


class Scores:
    """The objective of many points at once, computed in threads; every point has a finite score."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.worst = problem, 1.0

    def __call__(self, U: np.ndarray) -> np.ndarray:
        """Scores of the rows of U; cases that fail are worse than all others."""
        problem = self.problem
        Y = problem.evaluator.values(np.array([problem.parameters(u) for u in U]))
        found = []
        for u, y in zip(U, Y):
            problem._u, problem._y, problem._J = np.array(u), y, None
            margins = problem.margins(u)
            beyond = float(np.minimum(margins, 0.0).sum()) if len(margins) else 0.0
            value = problem.value(y)
            problem.history.append((np.array(u), value))
            found.append(value - 1e3 * max(abs(value), self.worst) * beyond)
        known = [one for one in found if np.isfinite(one)]
        if known:
            self.worst = max(self.worst, max(known))
        return np.array([one if np.isfinite(one) else 10.0 * abs(self.worst) for one in found])


def global_search(problem: Problem, most: int, seed: int) -> np.ndarray:
    """The best point of a differential evolution, with one generation at a time."""
    from scipy.optimize import differential_evolution

    n = len(problem.evaluator.names)
    size, scores = max(16, 8 * n), Scores(problem)
    found = differential_evolution(
        lambda U: scores(U.T),
        [(0.0, 1.0)] * n,
        popsize=max(1, size // n),
        maxiter=max(1, most // size - 1),
        rng=np.random.default_rng(seed),
        vectorized=True,
        updating="deferred",
        polish=False,
        tol=1e-8,
    )
    return np.clip(found.x, 0.0, 1.0)


def optuna_search(problem: Problem, most: int, seed: int) -> np.ndarray:
    """The best of `most` points that the sampler of Optuna (TPE) proposes, in small batches."""
    try:
        import optuna
    except ImportError:
        raise ModelError(
            "optimize: method 'optuna' needs the package Optuna; install it with  pip install "
            "kinetree[optuna], or use method='global'."
        ) from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True)
    study, scores = optuna.create_study(sampler=sampler), Scores(problem)
    names = problem.evaluator.names
    ranges: dict[str, Any] = {
        name: optuna.distributions.FloatDistribution(0.0, 1.0) for name in names
    }
    for first in range(0, most, BATCH):
        trials = [study.ask(ranges) for _ in range(min(BATCH, most - first))]
        U = np.array([[one.params[name] for name in names] for one in trials])
        for one, score in zip(trials, scores(U)):
            study.tell(one, float(score))
    return np.array([study.best_params[name] for name in names])


def _finite(J: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(J), J, 0.0)
