"""`tolerance_analysis`: how tolerances of parameters add up in the outputs, by four methods.

With the derivatives S_i = dy/dp_i, the tolerances t_i and the standard deviations s_i = t_i / ratio:

    worst case    y +- sum |S_i| t_i                      linear, all parameters at their limits
    RSS           s_y^2 = sum (S_i s_i)^2                 linear, independent parameters
    Monte Carlo   mean, deviation and quantiles of runs   nothing is neglected
    Sobol         shares of the variance of y, alone and with interactions [Saltelli2010]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.checks import mapping, whole
from ...errors import ModelError, SimulationError, counted, explains_arguments, short
from ...kernel.frames import number
from .evaluator import Evaluator
from .optimize import _span
from .spread import Spread, ToleranceAnalysis

CORNERS = 10  # parameters up to which all corners of the tolerances are computed


@explains_arguments
def tolerance_analysis(
    make: Any,
    tolerances: Mapping[str, tuple[float, float]],
    outputs: Any,
    until: float | None = None,
    *,
    times: Any = None,
    ratio: float = 3.0,
    samples: int = 1000,
    sobol: int = 128,
    fixed: Mapping[str, Any] | None = None,
    seed: int = 0,
    workers: int | None = None,
    **options: Any,
) -> ToleranceAnalysis:
    r"""Compute the spread of outputs that follows from tolerances of parameters.

    Parameters
    ----------
    make : callable or path
        Function that returns the model for parameters given by name, or a model file with
        `parameters`.
    tolerances : dict of str to tuple
        Nominal value and tolerance of each parameter: (0.5, 0.001) is 0.5 +- 0.001.
    outputs : str, sequence of str, or dict
        Outputs that are one number, as in `Study`.
    until : float, optional
        End time (s) of the runs.
    times : array_like, optional
        Times (s) of positions, for mechanisms that drivers move completely, instead of `until`.
    ratio : float, default 3.0
        Tolerance over standard deviation of a parameter; 3 for a normal distribution of which
        99.7 % are within the tolerance.
    samples : int, default 1000
        Number of cases of the Monte Carlo method.
    sobol : int, default 128
        Base number of cases for Sobol indices, a power of two; k parameters take k + 2 times as many.
        0 leaves them out.
    fixed : dict, optional
        Values of other parameters.
    seed : int, default 0
        Seed of the random numbers.
    workers : int, optional
        Number of threads; by default the number of processors.
    **options
        Arguments of `simulate`, such as ``rtol=1e-8``.

    Returns
    -------
    ToleranceAnalysis
        All four results for each output, side by side.

    Raises
    ------
    ModelError
        If an argument is wrong.
    SimulationError
        If the nominal model, or too many of the cases, cannot be computed.

    See Also
    --------
    Study : Many runs for given parameters.
    sensitivities : Derivatives of outputs.

    Notes
    -----
    With derivatives :math:`S_i = \partial y / \partial p_i`, tolerances :math:`t_i` and standard
    deviations :math:`\sigma_i = t_i / \text{ratio}`:

    .. math:: \Delta y = \sum_i |S_i|\, t_i, \qquad \sigma_y^2 = \sum_i (S_i \sigma_i)^2

    Both are linear. The Monte Carlo method and the Sobol indices compute cases with random
    parameters. The largest deviation is also computed at all corners of the tolerances, for at most
    ten parameters.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> found = kt.tolerance_analysis(
    ...     pendulum, {"length": (0.5, 0.01)}, "max hinge.rate", until=1.0, samples=50, sobol=0)
    >>> spread = found["max hinge.rate"]
    >>> abs(spread.sigma - spread.monte_carlo) < 0.3 * spread.sigma
    True
    """
    what = "tolerance_analysis"
    center, width = _parsed(mapping(tolerances, f"{what}: tolerances", "{'length': (0.5, 0.001)}"))
    ratio = number(ratio, f"{what}: ratio", positive=True)
    samples = whole(samples, f"{what}: samples", 2, 10**7)
    sobol = whole(sobol, f"{what}: sobol", 0, 10**6)
    if sobol == 1 or sobol & (sobol - 1):
        raise ModelError(f"{what}: sobol must be a power of two from 2, or 0, got {sobol}.")
    names = tuple(tolerances)
    p, t = np.array([center[n] for n in names]), np.array([width[n] for n in names])
    reach = max(6.0 / ratio, 1.0)  # the normal distribution is cut at six standard deviations
    box = {n: (center[n] - reach * width[n], center[n] + reach * width[n]) for n in names}
    evaluator = Evaluator(
        make, box, outputs, *_span(until, times), fixed=fixed, options=options, workers=workers
    )  # fmt: skip
    nominal = evaluator.rows(p)[0]
    if nominal.status != 0:
        raise SimulationError(f"{what}: the nominal model fails: {nominal.reason}.", 0.0, "", None)
    y = evaluator.flat(nominal.values)
    labels = _labels(evaluator)
    S = evaluator.jacobian(p)
    if not np.isfinite(S).all():
        S = evaluator._differences(p)
    rng = np.random.default_rng(whole(seed, f"{what}: seed", 0))
    random = _computed(evaluator, _normal(rng, samples, p, t / ratio, reach * t))
    corners = _corners(evaluator, p, t)
    first, total = _indices(evaluator, p, t / ratio, sobol, rng, reach * ratio)
    return ToleranceAnalysis(
        dict(zip(names, zip(p, t))),
        {
            label: Spread(
                float(y[k]), S[k] * t, ratio, random[:, k], corners[:, k] if len(corners) else None,
                None if first is None else first[k], None if total is None else total[k], names,
            )
            for k, label in enumerate(labels)
        },
        evaluator.evaluations,
        int(samples - len(random)),
    )  # fmt: skip


def _parsed(given: Mapping[str, Any]) -> tuple[dict[str, float], dict[str, float]]:
    center, width = {}, {}
    for name, pair in given.items():
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ModelError(
                f"tolerance_analysis: {name!r} must be (nominal value, tolerance), got {short(pair)}."
            )
        center[name] = number(pair[0], f"tolerance_analysis: {name}")
        width[name] = number(pair[1], f"tolerance_analysis: tolerance of {name}", positive=True)
    if not center:
        raise ModelError("tolerance_analysis: give the tolerance of at least one parameter.")
    return center, width


def _labels(evaluator: Evaluator) -> list[str]:
    for name, shape in evaluator.sizes.items():
        if shape:
            raise ModelError(
                f"tolerance_analysis: output {name!r} has {int(np.prod(shape))} values; ask for "
                "'max ..', 'final ..' or another form that gives one number."
            )
    return list(evaluator.sizes)


def _normal(
    rng: np.random.Generator, n: int, p: np.ndarray, sigma: np.ndarray, most: np.ndarray
) -> np.ndarray:
    return p + np.clip(sigma * rng.standard_normal((n, len(p))), -most, most)


def _computed(evaluator: Evaluator, P: np.ndarray) -> np.ndarray:
    """Outputs of the cases that could be computed; an error if fewer than half could."""
    found = evaluator.values(P)
    found = found[np.isfinite(found).all(axis=1)]
    if 2 * len(found) < len(P):
        raise SimulationError(
            f"tolerance_analysis: {len(P) - len(found)} of {counted(len(P), 'case')} within the "
            "tolerances cannot be computed. Reduce the tolerances.",
            0.0,
            "",
            None,
        )
    return found


def _corners(evaluator: Evaluator, p: np.ndarray, t: np.ndarray) -> np.ndarray:
    k = len(p)
    if k > CORNERS:
        return np.zeros((0, 0))
    signs = 2.0 * ((np.arange(2**k)[:, None] >> np.arange(k)) & 1) - 1.0
    found = evaluator.values(p + signs * t)
    return found[np.isfinite(found).all(axis=1)]


def _indices(evaluator, p, sigma, n: int, rng, cut: float):
    """First-order and total Sobol indices, by scipy.stats."""
    if not n:
        return None, None
    if len(p) == 1:  # all of the variance is due to it
        return (np.ones((len(evaluator.sizes), 1)),) * 2
    from scipy.stats import sobol_indices, truncnorm

    failed = []

    def outputs(X: np.ndarray) -> np.ndarray:
        found = evaluator.values(X.T)
        lost = ~np.isfinite(found).all(axis=1)
        failed.append(int(lost.sum()))
        found[lost] = np.nanmean(found, axis=0)  # a failed case counts as the mean
        return found.T

    dists = [truncnorm(-cut, cut, loc=m, scale=s) for m, s in zip(p, sigma)]
    found = sobol_indices(func=outputs, n=n, dists=dists, rng=rng)
    return np.atleast_2d(found.first_order), np.atleast_2d(found.total_order)
