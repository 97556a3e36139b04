"""`optimize`: parameters for which an output is smallest, largest, or nearest to a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...core.checks import mapping, whole, word
from ...errors import ModelError, SimulationError, counted, explains_arguments, no_such, short
from ...kernel.frames import number
from .evaluator import Evaluator, Values, box_of
from .optimum import AT_LIMIT, Optimum
from .problem import LARGEST, SQUARES, Problem, fitted
from .solvers import Search, global_search, local, optuna_search
from .starts import feasible_starts, given_start

METHODS, NORMS = ("local", "global", "optuna"), (SQUARES, LARGEST)


@explains_arguments
def optimize(
    make: Any,
    parameters: Mapping[str, tuple[float, float]],
    *,
    minimize: str | Callable[[Values], float] | None = None,
    maximize: str | None = None,
    fit: Mapping[str, Any] | None = None,
    limits: Mapping[str, tuple[float | None, float | None]] | None = None,
    outputs: Mapping[str, Any] | None = None,
    until: float | None = None,
    times: Any = None,
    start: Mapping[str, float] | None = None,
    starts: int = 1,
    method: str = "local",
    norm: str = SQUARES,
    weights: Mapping[str, Any] | None = None,
    fixed: Mapping[str, Any] | None = None,
    most: int = 200,
    seed: int = 0,
    workers: int | None = None,
    **options: Any,
) -> Optimum:
    r"""Find the parameters for which an output is smallest, largest, or nearest to a target.

    Parameters
    ----------
    make : callable or path
        Function that returns the model for parameters given by name, or a model file with
        `parameters`.
    parameters : dict of str to tuple
        Limits (low, high) of each parameter.
    minimize : str or callable, optional
        Output that is minimized, such as "max A.reaction.force", or a function of the values of all
        `outputs` by name.
    maximize : str, optional
        Output that is maximized.
    fit : dict of str to array_like, optional
        Outputs with the values that they should have: one number, or one for each time.
    limits : dict of str to tuple, optional
        Limits (low, high) of outputs; None where there is no limit.
    outputs : dict of str to str, optional
        Names for outputs, as in `Study`. Texts such as "max A.angle" may also be used directly.
    until : float, optional
        End time (s) of the runs.
    times : array_like, optional
        Times (s) of positions, for mechanisms that drivers move completely. Nothing is simulated
        then; outputs without a form, such as "coupler.position.x", are histories at these times.
    start : dict of str to float, optional
        Parameters at which the first search begins; by default the middle of the limits.
    starts : int, default 1
        Number of searches. The others begin at points that fill the ranges and can be computed.
    method : {"local", "global", "optuna"}, default "local"
        What finds the start of the first search: nothing, a differential evolution, or the sampler
        of Optuna (``pip install kinetree[optuna]``), which needs fewer cases.
    norm : {"squares", "largest"}, default "squares"
        Whether a fit minimizes the sum of squares or the largest deviation.
    weights : dict of str to array_like, optional
        Factors of the deviations of a fit, one for each output or time.
    fixed : dict, optional
        Values of other parameters.
    most : int, default 200
        Largest number of iterations of a search; for "global" of cases, in hundreds, and for
        "optuna" of cases.
    seed : int, default 0
        Seed of the starting points.
    workers : int, optional
        Number of threads; by default the number of processors.
    **options
        Arguments of `simulate`, such as ``rtol=1e-8``.

    Returns
    -------
    Optimum
        The best parameters, their outputs, and all searches.

    Raises
    ------
    ModelError
        If an argument is wrong.
    SimulationError
        If no start can be computed.

    See Also
    --------
    identify : Fit parameters to a measurement, with standard errors.
    Study : Many runs for given parameters.
    sensitivities : Derivatives of outputs.

    Notes
    -----
    Searches use exact derivatives of the runs (`sensitivities`), or central differences of positions
    whose loops are closed to rounding. Runs of models whose derivatives are not known (contacts
    without deformation, integrators for beams) are differentiated by central differences. A fit
    without limits is solved by the trust-region method of `scipy.optimize.least_squares`, other
    problems by sequential quadratic programming. Where a model cannot be assembled, the search takes
    shorter steps.

    Examples
    --------
    A pendulum is to swing through its lowest point after 0.4 s.

    >>> import kinetree as kt
    >>> def make(length=0.5):
    ...     m = kt.Model("pendulum")
    ...     rod = m.body("rod", kt.rod(mass=1.0, length=length, along="z"))
    ...     m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": 0.3})
    ...     return m
    >>> found = kt.optimize(make, {"length": (0.2, 1.2)}, fit={"A.angle at 0.4": 0.0}, until=0.4)
    >>> print(f"{found.parameters['length']:.3f} m")
    0.944 m
    """
    what = "optimize"
    method, norm = word(method, f"{what}: method"), word(norm, f"{what}: norm")
    if method not in METHODS:
        raise no_such("method", method, METHODS, f" of {what}")
    if norm not in NORMS:
        raise no_such("norm", norm, NORMS, f" of {what}")
    most, starts = (
        whole(most, f"{what}: most", 1, 10**6),
        whole(starts, f"{what}: starts", 1, 10**5),
    )
    seed = whole(seed, f"{what}: seed", 0)
    box = box_of(mapping(parameters, f"{what}: parameters", "{'length': (0.2, 0.8)}"), what)
    named = _named_outputs(outputs, minimize, maximize, fit, limits)
    goal = _goal(minimize, maximize, fit)
    evaluator = Evaluator(
        make, box, named, *_span(until, times), fixed=fixed, options=options, workers=workers
    )  # fmt: skip
    first, others, drawn = _starts(evaluator, start, starts, seed)
    evaluator.values(evaluator.low + (evaluator.high - evaluator.low) * first)
    shapes = evaluator.sizes
    problem = Problem(
        evaluator,
        goal,
        fitted(fit or {}, shapes),
        {k: np.asarray((weights or {}).get(k, 1.0), float) for k in fit or {}},
        {k: _limit(k, pair) for k, pair in (limits or {}).items()},
        norm,
    )
    _check(problem, named)
    if method == "global":
        first = global_search(problem, 100 * most, seed)
    elif method == "optuna":
        first = optuna_search(problem, most, seed)
    searches = [local(problem, u, most) for u in (first, *others)]
    return _best(problem, searches, drawn)


def _best(problem: Problem, searches: list[Search], drawn: int) -> Optimum:
    """The result: searches that meet all limits first, then by value."""

    def rank(s: Search) -> tuple[bool, bool, float]:
        return (not s.met, not np.isfinite(s.value), s.value)

    searches.sort(key=rank)
    best, e = searches[0], problem.evaluator
    y = problem.outputs(best.end)
    value = best.value
    if problem.fit and problem.norm == SQUARES:
        value = float(np.sqrt(np.mean(problem.residuals(y) ** 2)))
    elif isinstance(problem.goal, tuple):
        value *= problem.goal[1]
    p = problem.parameters(best.end)
    at_limit = np.minimum(best.end, 1.0 - best.end) <= AT_LIMIT
    outputs = {k: float(v) if np.ndim(v) == 0 else v for k, v in e.split(y).items()}
    return Optimum(
        e.named(p), value, outputs, tuple(n for n, at in zip(e.names, at_limit) if at), best.met,
        e.evaluations, tuple(searches), drawn, problem,
    )  # fmt: skip


def _starts(
    evaluator: Evaluator, start: Mapping[str, float] | None, count: int, seed: int
) -> tuple[np.ndarray, list[np.ndarray], int]:
    """The first start, the others, and how many points were drawn."""
    first = given_start({} if start is None else start, evaluator)
    row = evaluator.rows(evaluator.low + (evaluator.high - evaluator.low) * first)[0]
    runs = row.status == 0 and np.isfinite(evaluator.flat(row.values)).all()
    if not runs and start is not None:
        raise SimulationError(
            f"optimize: the model at the given start fails: {row.reason}.", 0.0, "", None
        )
    wanted = count - int(runs)
    others, drawn, why = feasible_starts(evaluator, wanted, seed) if wanted else ([], 0, "")
    if not runs and not others:
        raise SimulationError(
            f"optimize: none of {counted(drawn, 'point')} in the ranges can be computed; the last "
            f"reason: {why or row.reason}. Change the limits, or give start=.",
            0.0,
            "",
            None,
        )
    return (first, others, drawn) if runs else (others[0], others[1:], drawn)


def _named_outputs(outputs, minimize, maximize, fit, limits) -> dict[str, Any]:
    """All outputs by name: those given, and texts used directly."""
    found = dict(
        mapping({} if outputs is None else outputs, "optimize: outputs", "{'speed': 'max A.rate'}")
    )
    texts = [one for one in (minimize, maximize) if isinstance(one, str)]
    for part, how in ((fit, "fit"), (limits, "limits")):
        texts += mapping({} if part is None else part, f"optimize: {how}", "{'final A.angle': ...}")
    for text in texts:
        found.setdefault(text, text)
    if not found:
        raise ModelError("optimize: give minimize=, maximize= or fit= with outputs of the model.")
    return found


def _goal(minimize, maximize, fit):
    given = [one for one in (minimize, maximize, fit) if one is not None]
    if len(given) != 1:
        raise ModelError("optimize: give one of minimize=, maximize= and fit=.")
    if fit is not None:
        return None
    if callable(minimize):
        return minimize
    text = minimize if minimize is not None else maximize
    if not isinstance(text, str):
        raise ModelError(
            f"optimize: the objective must be a text such as 'max A.angle', got {short(text)}."
        )
    return (text, 1.0 if minimize is not None else -1.0)


def _span(until: Any, times: Any) -> tuple[float | None, np.ndarray | None]:
    """End of the runs, or times of positions."""
    if (until is None) == (times is None):
        raise ModelError(
            "optimize: give until= for runs, or times= for positions of a driven mechanism."
        )
    if times is None:
        return number(until, "optimize: until", positive=True), None
    found = np.atleast_1d(np.asarray(times, float))
    if (
        found.ndim != 1
        or not len(found)
        or not np.isfinite(found).all()
        or (np.diff(found) <= 0.0).any()
    ):
        raise ModelError(f"optimize: times must be increasing numbers (s), got {short(times)}.")
    return None, found


def _limit(name: str, pair: Any) -> tuple[float | None, float | None]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or pair[0] is None is pair[1]:
        raise ModelError(
            f"optimize: the limits of {name!r} must be (low, high), got {short(pair)}."
        )
    return tuple(None if one is None else number(one, f"limits: {name}") for one in pair)  # type: ignore


def _check(problem: Problem, named: Mapping[str, Any]) -> None:
    """Raise an error for an objective that is not one number."""
    if isinstance(problem.goal, tuple) and problem.evaluator.sizes[problem.goal[0]] != ():
        raise ModelError(
            f"optimize: {problem.goal[0]!r} has many values; ask for 'max ..', 'final ..' or another "
            "form that gives one number."
        )
