"""`identify`: parameters of a model from a measurement, with their standard errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.checks import mapping, whole
from ...errors import ModelError, explains_arguments, short
from .estimate import Estimate, statistics
from .evaluator import Evaluator, box_of
from .optimize import _starts
from .problem import Problem
from .solvers import local


@explains_arguments
def identify(
    make: Any,
    data: Any,
    parameters: Mapping[str, tuple[float, float]],
    *,
    noise: Mapping[str, float] | None = None,
    start: Mapping[str, float] | None = None,
    starts: int = 1,
    fixed: Mapping[str, Any] | None = None,
    most: int = 100,
    seed: int = 0,
    workers: int | None = None,
    **options: Any,
) -> Estimate:
    r"""Fit parameters of a model to a measurement.

    Parameters
    ----------
    make : callable or path
        Function that returns the model for parameters given by name, or a model file with
        `parameters`.
    data : dict of str to array_like, or DataFrame
        The measurement: "t" with the times (s), and channels such as "A.angle" with their values at
        these times. The model starts at its own start time.
    parameters : dict of str to tuple
        Limits (low, high) of each parameter.
    noise : dict of str to float, optional
        Standard deviation of the noise of each channel; by default all channels count equally,
        relative to their range.
    start : dict of str to float, optional
        Parameters at which the search begins; by default the middle of the limits.
    starts : int, default 1
        Number of searches; the others begin at points that fill the ranges.
    fixed : dict, optional
        Values of other parameters.
    most : int, default 100
        Largest number of iterations of a search.
    seed : int, default 0
        Seed of the starting points.
    workers : int, optional
        Number of threads; by default the number of processors.
    **options
        Arguments of `simulate`, such as ``rtol=1e-8``.

    Returns
    -------
    Estimate
        Parameters, standard errors, correlation and residuals.

    Raises
    ------
    ModelError
        If an argument is wrong.
    SimulationError
        If no start can be computed.

    See Also
    --------
    optimize : Other objectives.
    sensitivities : Derivatives of outputs.

    Notes
    -----
    The sum of squares of the residuals :math:`r_i = (y_i(p) - d_i) / \sigma_i` is minimized with exact
    derivatives J. The covariance of the estimates is

    .. math:: \mathrm{cov}(p) = s^2 (J^T J)^{-1}, \qquad s^2 = \frac{r^T r}{m - k}

    for m values and k parameters. It holds for independent noise and a model that fits.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> sol = kt.simulate(pendulum(length=0.45), 1.0)
    >>> data = {"t": sol.t[::25], "hinge.angle": sol["hinge.angle"][::25]}
    >>> found = kt.identify(pendulum, data, {"length": (0.3, 0.7)})
    >>> round(found.parameters["length"], 4)
    0.45
    """
    t, measured = _data(data)
    box = box_of(mapping(parameters, "identify: parameters", "{'mass': (0.5, 2.0)}"), "identify")
    sigma = _noise(noise, measured)
    count = sum(len(one) for one in measured.values())
    if count <= len(box):
        raise ModelError(
            f"identify: {count} measured values cannot determine {len(box)} parameters and the noise."
        )
    evaluator = Evaluator(
        make, box, {name: name for name in measured}, float(t[-1]), measured=t, fixed=fixed,
        options=options, workers=workers,
    )  # fmt: skip
    starts, seed = whole(starts, "identify: starts", 1, 10**5), whole(seed, "identify: seed", 0)
    first, others, _ = _starts(evaluator, start, starts, seed)
    weights = {name: np.asarray(1.0 / one) for name, one in sigma.items()}
    problem = Problem(evaluator, None, measured, weights, {})
    most = whole(most, "identify: most", 1, 10**6)
    searches = [local(problem, u, most) for u in (first, *others)]
    best = min(searches, key=lambda s: s.value if np.isfinite(s.value) else np.inf)
    return _estimate(problem, best, t, measured)


def _estimate(
    problem: Problem, best: Any, t: np.ndarray, measured: dict[str, np.ndarray]
) -> Estimate:
    e, u = problem.evaluator, best.end
    y, p = problem.outputs(u), problem.parameters(u)
    J = problem.residual_slopes(u) / (e.high - e.low)
    errors, correlation, lost = statistics(J, problem.residuals(y), p, e.names)
    computed = e.split(y)
    noise = {n: float(np.sqrt(np.mean((computed[n] - one) ** 2))) for n, one in measured.items()}
    fixed, source = e.fixed, e.source
    return Estimate(
        e.named(p), errors, correlation, noise, lost, t, measured, computed,
        bool(np.isfinite(best.value)), e.evaluations,
        lambda parameters: source({**fixed, **parameters}),
    )  # fmt: skip


def _data(data: Any) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Times and channels of a measurement, checked."""
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        data = {str(name): data[name].to_numpy() for name in data.columns}
    columns = dict(mapping(data, "identify: data", "{'t': [...], 'A.angle': [...]}"))
    if "t" not in columns:
        raise ModelError(
            f"identify: data needs a column 't' with the times; it has {', '.join(columns)}."
        )
    found = {}
    for name, one in columns.items():
        try:
            found[name] = np.asarray(one, float)
        except (TypeError, ValueError):
            raise ModelError(
                f"identify: data: {name!r} must be numbers, got {short(one)}."
            ) from None
    t = found.pop("t")
    if t.ndim != 1 or len(t) < 2 or not np.isfinite(t).all() or (np.diff(t) <= 0.0).any():
        raise ModelError("identify: data: 't' must be increasing finite numbers (s), at least two.")
    if not found:
        raise ModelError("identify: data has no channel besides 't'.")
    for name, one in found.items():
        if one.shape != t.shape:
            raise ModelError(f"identify: data: {name!r} has {one.size} values for {len(t)} times.")
        if not np.isfinite(one).all():
            k = int(np.flatnonzero(~np.isfinite(one))[0])
            raise ModelError(f"identify: data: {name!r} is {one[k]} at t = {t[k]:g} s.")
    return t, found


def _noise(
    given: Mapping[str, float] | None, measured: Mapping[str, np.ndarray]
) -> dict[str, float]:
    found = {name: float(np.ptp(one)) or 1.0 for name, one in measured.items()}
    for name, one in mapping(
        {} if given is None else given, "identify: noise", "{'A.angle': 0.01}"
    ).items():
        if name not in found:
            raise ModelError(f"identify: noise: the data has no channel {name!r}.")
        try:
            found[name] = float(one)
        except (TypeError, ValueError):
            found[name] = np.nan
        if not found[name] > 0.0:
            raise ModelError(f"identify: noise of {name!r} must be positive, got {short(one)}.")
    return found
