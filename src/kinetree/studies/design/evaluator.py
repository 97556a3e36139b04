"""Outputs of a model as one row of numbers, for rows of parameters, and their derivatives.

    y = f(p)           one number per output; time histories are flattened
    J = df/dp          exact derivatives of the run (`sensitivities`), or central differences

Central differences are used for positions alone, whose error is rounding, for outputs that are
functions of the user, and for runs without derivatives (contacts without deformation, beams).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np

from ...core.checks import mapping, whole
from ...errors import KinetreeError, ModelError, short
from ..cases.rows import DONE, Row
from ..engines.contract import Job
from ..engines.threads import usual_workers
from ..outputs import Output, outputs_of
from ..parameters.source import Source, source_of
from ..study import checked_options
from .driven import DrivenRows
from .timed import TimedRows

# steps of central differences, in units of the range of a parameter
STEP = 1e-5  # of positions, whose error is rounding
STEP_OF_RUNS = (
    1e-3  # errors of runs with rtol 1e-8 make 1e-5, those of the step 1e-6 of its third power
)
Values = dict[str, np.ndarray]


class Evaluator:
    """Evaluates a model with parameters in a box.

    Attributes
    ----------
    names : tuple of str
        The parameters.
    low, high : ndarray
        Their limits.
    outputs : tuple of Output
        What is computed.
    evaluations, derivatives : int
        Number of cases and of Jacobians computed so far.
    """

    def __init__(
        self,
        make: Any,
        box: Mapping[str, tuple[float, float]],
        outputs: Any,
        until: float | None,
        times: np.ndarray | None = None,
        measured: np.ndarray | None = None,
        fixed: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        trials: np.ndarray | None = None,
        workers: int | None = None,
        interval: float | None = None,
    ) -> None:
        self.source: Source = source_of(make)
        self.names = tuple(box)
        self.low = np.array([box[name][0] for name in self.names])
        self.high = np.array([box[name][1] for name in self.names])
        self.outputs: tuple[Output, ...] = outputs_of(outputs)
        self.until, self.times, self.measured = until, times, measured
        self.fixed = mapping({} if fixed is None else fixed, "fixed", "{'mass': 1.0}")
        self.options = checked_options(dict(options or {}))
        middle = 0.5 * (self.low + self.high)[None, :]
        self._job = Job(
            make=self.source,
            names=self.names,
            low=self.low,
            high=self.high,
            trials=np.vstack([trials, middle]) if trials is not None else middle,
            levels=[],
            named=self.named,
            fixed=self.fixed,
            outputs=self.outputs,
            until=until if times is None else 1.0,
            interval=interval,
            options=self.options,
        )
        self._makers = [self._maker()]
        self._workers = usual_workers() if workers is None else whole(workers, "workers", 1)
        self.evaluations = self.derivatives = 0
        self.sizes: dict[str, tuple[int, ...]] = {}  # shapes of the outputs, from the first case

    def named(self, p: Sequence[float] | np.ndarray) -> dict[str, float]:
        """Parameters by name."""
        return dict(zip(self.names, map(float, p)))

    def model(self, p: np.ndarray) -> Any:
        """The model for these parameters."""
        return self.source({**self.fixed, **self.named(p)})

    def rows(self, P: np.ndarray) -> list[Row]:
        """The rows of several cases, computed in threads."""
        P = np.atleast_2d(P)
        self.evaluations += len(P)
        count = min(self._workers, len(P))
        if count <= 1:
            return [self._makers[0].row(p) for p in P]
        while len(self._makers) < count:
            self._makers.append(self._maker())
        found: list[Row | None] = [None] * len(P)

        def work(k: int) -> None:
            for i in range(k, len(P), count):
                found[i] = self._makers[k].row(P[i])

        with ThreadPoolExecutor(count) as pool:
            for one in [pool.submit(work, k) for k in range(count)]:
                one.result()
        return found  # type: ignore[return-value]

    def values(self, P: np.ndarray) -> np.ndarray:
        """(cases, numbers); NaN for a case that fails. Needs the shapes of one case that runs."""
        rows = self.rows(P)
        if not self.sizes:
            self._learn(next((row for row in rows if row.status == DONE), None))
        width = sum(int(np.prod(shape)) for shape in self.sizes.values())
        return np.array([self.flat(row.values) if row.status == DONE else np.full(width, np.nan)
                         for row in rows])  # fmt: skip

    def flat(self, values: Values) -> np.ndarray:
        """Outputs as one row of numbers."""
        if not self.sizes:
            self.sizes = {name: np.shape(one) for name, one in values.items()}
        return np.concatenate([np.ravel(values[name]) for name in self.sizes]).astype(float)

    def split(self, row: np.ndarray) -> Values:
        """Outputs by name from one row of numbers (or one row per derivative)."""
        found, at = {}, 0
        for name, shape in self.sizes.items():
            n = int(np.prod(shape))
            found[name] = row[at : at + n].reshape((*shape, *row.shape[1:]))
            at += n
        return found

    def jacobian(self, p: np.ndarray) -> np.ndarray:
        """(numbers, parameters) derivatives at p; NaN where they do not exist."""
        self.derivatives += 1
        return self._exact(p) if self._has_exact else self._differences(p)

    @cached_property
    def _has_exact(self) -> bool:
        if self.times is not None or self.until is None:
            return False
        from ..sensitivities.derive import obstacle

        functions = any(one.function is not None for one in self.outputs)
        return not functions and not obstacle(self._job.finder().plan)

    def _exact(self, p: np.ndarray) -> np.ndarray:
        from ..sensitivities.function import sensitivities

        assert self.until is not None
        fixed, source = self.fixed, self.source
        texts = {name: text for one in self.outputs for name, text in self._texts(one).items()}
        wide = {name: max(abs(v), 1e-3 * w, 1e-300)
                for (name, v), w in zip(self.named(p).items(), self.high - self.low)}  # fmt: skip
        try:
            found = sensitivities(
                lambda **values: source({**fixed, **values}),
                texts,
                self.named(p),
                self.until,
                sizes=wide,
                **self.options,
            )
        except KinetreeError:  # an output without a derivative there
            return np.full((sum(int(np.prod(s)) for s in self.sizes.values()), len(p)), np.nan)
        columns = [
            np.concatenate([np.ravel(found[name][parameter]) for name in texts])
            for parameter in self.names
        ]
        return np.column_stack(columns)

    def _texts(self, output: Output) -> dict[str, str]:
        """Outputs for `sensitivities`; a history at given times is one output for each time."""
        if output.kind == "series" and self.measured is not None:
            times = enumerate(map(float, self.measured))
            return {f"{output.name}/{k}": f"{output.of} at {t!r}" for k, t in times}
        return {output.name: _text(output)}

    def _differences(self, p: np.ndarray) -> np.ndarray:
        """Central differences; one-sided at a limit."""
        part = STEP if self.until is None or self.times is not None else STEP_OF_RUNS
        step = part * (self.high - self.low)
        up, down = np.minimum(p + step, self.high), np.maximum(p - step, self.low)
        k = len(p)
        P = np.tile(p, (2 * k, 1))
        P[np.arange(k), np.arange(k)] = up
        P[k + np.arange(k), np.arange(k)] = down
        found = self.values(P)
        return ((found[:k] - found[k:]) / (up - down)[:, None]).T

    def _learn(self, row: Row | None) -> None:
        if row is None:
            raise ModelError("no case can be computed in these ranges of the parameters.")
        self.flat(row.values)

    def _maker(self) -> Any:
        if self.times is not None:
            return DrivenRows(self._job.finder(), self.outputs, self.times)
        if self.measured is not None and self.until is not None:
            return TimedRows(self._job.finder(), self.outputs, self.until, self.measured)
        return self._job.maker()


def _text(output: Output) -> str:
    """The text of an output, as `sensitivities` takes it."""
    if output.kind == "series":
        return output.of
    if output.kind == "at":
        return f"{output.of} at {output.t!r}"
    if output.kind in ("time", "count"):
        return f"{output.kind} of {output.of}"
    return f"{output.kind} {output.of}"


def box_of(given: Mapping[str, Any], what: str) -> dict[str, tuple[float, float]]:
    """Limits of parameters: (low, high) by name."""
    found = {}
    for name, one in given.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise ModelError(f"{what}: a parameter is named like a variable, got {short(name)}.")
        try:
            low, high = (float(one[0]), float(one[1])) if len(one) == 2 else (np.nan, np.nan)
        except (TypeError, ValueError, KeyError):
            low, high = np.nan, np.nan
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            raise ModelError(
                f"{what}: parameter {name!r} must have limits (low, high) with low < high, got "
                f"{short(one)}."
            )
        found[name] = (low, high)
    if not found:
        raise ModelError(f"{what}: give the limits of at least one parameter.")
    return found


Objective = Callable[[Values], float]
