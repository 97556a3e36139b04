"""One row of a study: the outputs of a case, or the reason why there are none."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...assembly.result import Assembly
from ...errors import AssemblyError, KinetreeError, ModelError, SimulationError, TopologyError
from ...kernel.tables.status import Status
from ...results.sampling import sample_times
from ...results.solution import Solution
from ...simulation.run import interval_of
from ...simulation.simulate import run
from ..outputs import COUNT, FINAL, INITIAL, SERIES, TIME, Output, Values, columns_of
from ..parameters.source import reason
from .batch import CaseBatch
from .finder import GENERAL, Case, CaseFinder, CaseWorker
from .run import CaseRun
from .search import Infeasible

DONE, NOT_RUN, NOT_ASSEMBLED, REFUSED, STOPPED, ERROR = range(6)
STATUS = ("done", "not run", "not assembled", "refused", "stopped", "error")
WAYS = ("patched", "built", "general")
_FINISHED = (Status.DONE, Status.MORE)
_NO_TIMES = np.zeros(0)


@dataclass
class Row:
    """The result of one case."""

    status: int = NOT_RUN
    values: Values = field(default_factory=dict)
    reason: str = ""
    way: int = 2
    moved: str = ""  # start values that could not be kept, in words
    steps: int = 0


class RowMaker:
    """Makes the rows of one thread; `batched`: whether it may run cases together."""

    def __init__(
        self,
        finder: CaseFinder,
        outputs: tuple[Output, ...],
        until: float | None,
        interval: float | None,
        batched: bool = True,
    ) -> None:
        self.finder, self.outputs, self.until, self.interval = finder, outputs, until, interval
        self._worker: CaseWorker = finder.worker()
        self._run: CaseRun | None = None
        self._batch: CaseBatch | None = None
        self._described = self._framed = True
        self._batched = False
        if until is not None:
            plan = finder.plan
            options = plan.options(until, interval)
            self.grid = sample_times(
                until, interval_of(options, plan.assembly.t), "study", plan.assembly.t
            )
            if self._worker.patched is not None:
                self._run = CaseRun(plan, self._worker.patched, until, interval)
            self._samples = self._needed_samples()
            self._described = bool(plan.watched) or any(map(self._needs_model, outputs))
            self._framed = self._described or not all(map(self._is_state, outputs))
            self._batched = batched and not self._described and all(map(self._is_of_state, outputs))

    def row(self, p: np.ndarray, values: np.ndarray | None = None) -> Row:
        """The row of a case; errors of the case become its reason."""
        try:
            if self.until is None:
                return self._without_run(p)
            return self._with_run(p, values)
        except Infeasible as error:
            return Row(NOT_ASSEMBLED, reason=str(error), way=0)
        except (AssemblyError, TopologyError) as error:
            return Row(NOT_ASSEMBLED, reason=_short(error))
        except ModelError as error:
            return Row(REFUSED, reason=reason(error))
        except SimulationError as error:
            return Row(STOPPED, reason=reason(error), steps=_steps(error))
        except KinetreeError as error:
            return Row(ERROR, reason=reason(error))
        except Exception as error:  # of the user's functions
            return Row(ERROR, reason=reason(error))

    def rows_of_states(
        self, values: np.ndarray, stopped: Callable[[], bool]
    ) -> Iterator[tuple[np.ndarray, np.ndarray, Values]]:
        """Run cases together, where all outputs are of states: indices, steps and columns of some of
        them, until `stopped` returns True. Those that are missing in the end have to be run alone.
        """
        if self._run is None or not self._batched:
            return
        assert self.until is not None
        if self._batch is None:
            samples = self._samples if self._framed else _NO_TIMES
            kept = np.array([_place(self.finder, one.of) for one in self.outputs], np.int64)
            self._batch = CaseBatch(self.finder, self.until, self.interval, samples, kept)
        if self._batch.obstacle:
            return
        for ran in self._batch.run(values, stopped):
            columns = [
                self._column(one, ran.t, ran.y[..., k]) for k, one in enumerate(self.outputs)
            ]
            yield ran.cases, ran.steps, dict(zip([one.name for one in self.outputs], columns))

    def _column(self, output: Output, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        """An output of many runs; y: (times, runs)."""
        if output.kind == "at" and output.t > t[-1]:
            return np.full(y.shape[1], np.nan)
        if output.kind == SERIES:
            return self._on_grid(t, y).T
        return output.reduced_by_column(t, y)

    def trust_nothing(self) -> None:
        """Let all cases be built, until `trust_again`."""
        self._worker.build_all = True

    def trust_again(self) -> None:
        """Let cases be patched again."""
        self._worker.build_all = False

    def _without_run(self, p: np.ndarray) -> Row:
        model = self.finder.model(p)
        found: Values = {}
        for one in self.outputs:
            if one.function is None:
                raise ModelError(
                    f"output {one.name!r} needs a run; give until=, or a function of the model."
                )
            found |= columns_of(one.name, one.function(model))
        return Row(DONE, found)

    def _with_run(self, p: np.ndarray, values: np.ndarray | None) -> Row:
        case = self._worker.case(p, values, self._described, self._framed)
        if case.way == GENERAL or self._run is None:
            return self._general(p, case)
        result = self._run.result(case.assembly, self._samples if self._framed else _NO_TIMES)
        if result.stop is not None:
            raise result.stop
        if result.status not in _FINISHED or (result.interrupted and not result.ended):
            return self._general(p, None)  # which explains
        sol: Any = (
            self._run.solution(case.assembly, result)
            if self._framed
            else _States(case.assembly, result)
        )
        return Row(DONE, self._values(sol), "", WAYS.index(case.way), "", result.accepted)

    def _general(self, p: np.ndarray, case: Case | None) -> Row:
        plan = case.plan if case is not None and case.plan else self.finder.general_plan(p)
        assert self.until is not None
        options = plan.options(self.until, self.interval)
        sol = run(plan.assembly, plan.method, options, False, time.perf_counter(), plan.watched)
        moved = ", ".join(
            f"{name} {given:.6g} -> {found:.6g}"
            for name, (given, found) in plan.assembly.changed.items()
        )
        return Row(DONE, self._values(sol), "", 2, moved, sol.result.accepted)

    def _values(self, sol: Solution) -> Values:
        found: Values = {}
        for one in self.outputs:
            if one.kind == "at" and not np.isclose(sol.t, one.t, rtol=0.0, atol=1e-12).any():
                found |= (
                    one.values(sol.at(one.t))
                    if one.t <= sol.t[-1]
                    else {one.name: np.array(np.nan)}
                )
            elif one.kind == SERIES:
                found |= {one.name: self._on_grid(sol.t, one.values(sol)[one.name])}
            else:
                found |= one.values(sol)
        return found

    def _on_grid(self, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        """A channel at the sample times, without other times at which outputs are wanted; NaN after
        the end of a run that ended early.
        """
        full = np.full((len(self.grid), *y.shape[1:]), np.nan)
        known = np.isin(self.grid, t)
        full[known] = y[np.searchsorted(t, self.grid[known])]
        return full

    def _needed_samples(self) -> np.ndarray:
        if any(one.sampled or self._on_a_turn(one) for one in self.outputs):
            times = [one.t for one in self.outputs if one.kind == "at" and one.t <= self.grid[-1]]
            return np.unique(np.concatenate([self.grid, times])) if times else self.grid
        t0, end = float(self.grid[0]), float(self.grid[-1])
        return np.unique(
            [t0, *(o.t for o in self.outputs if o.kind == "at" and t0 < o.t < end), end]
        )

    def _on_a_turn(self, output: Output) -> bool:
        """Whether a value follows from those before it, like the angle of a cut joint whose turns
        are not counted.
        """
        name = output.of
        joint = self.finder.plan.assembly.compiled.joints.get(name.rpartition(".")[0])
        if joint is None:
            return "quaternion" in name
        return joint.direct is None and name.rpartition(".")[2] not in joint.turns

    def _needs_model(self, output: Output) -> bool:
        """Whether an output reads the description of the model, not only tables and frames."""
        if output.kind == "function":
            return True
        model, compiled = self.finder.plan.model, self.finder.plan.assembly.compiled
        first = output.of.partition(".")[0]
        if output.of.startswith("energy.") or first in compiled.joints:
            return False
        return not (first in model.bodies and output.of.count(".") <= 2 and "end" not in output.of)

    def _is_of_state(self, output: Output) -> bool:
        """Whether an output is of the samples of a coordinate or speed of a tree joint."""
        known = output.kind not in ("function", TIME, COUNT)
        inside = output.kind != "at" or output.t >= self.grid[0]
        return known and inside and _place(self.finder, output.of) is not None

    def _is_state(self, output: Output) -> bool:
        """Whether an output is a coordinate or speed of a tree joint at the start or the end."""
        return output.kind in (FINAL, INITIAL) and _place(self.finder, output.of) is not None


class _States:
    """The start and the end of a run, for outputs that are states."""

    def __init__(self, assembly: Assembly, result: Any) -> None:
        self.t = np.array([assembly.t, result.t])
        self._y = np.array([assembly.y, result.y])
        self._compiled = assembly.compiled

    def __getitem__(self, name: str) -> np.ndarray:
        at = state_index(self._compiled, name)
        assert at is not None
        return self._y[:, at]


def _place(finder: CaseFinder, name: str) -> int | None:
    return state_index(finder.plan.assembly.compiled, name)


def state_index(compiled: Any, name: str) -> int | None:
    """Index in (q, v, x) of the channel of a tree joint or of a state; None for others."""
    if name in compiled.states:
        return compiled.size["nq"] + compiled.size["nv"] + compiled.states[name].ix
    head, _, label = name.rpartition(".")
    if label == "rate":
        owner, _, speed = head.rpartition(".")
        if owner not in compiled.joints:
            owner, speed = head, ""
        place = compiled.joints.get(owner)
        if place is None or place.direct is None:
            return None
        speeds = place.spec.joint.speeds
        if not speed:
            speed = speeds[0] if len(speeds) == 1 else ""
        if speed not in speeds or speed not in place.spec.joint.labels:
            return None
        at = speeds.index(speed)
        at = place.direct[at] if place.reversed else at
        return compiled.size["nq"] + int(compiled.tables.links[place.link]["iv"]) + at
    place = compiled.joints.get(head)
    if place is None or place.direct is None or label not in place.spec.joint.scalars:
        return None
    at = place.spec.joint.labels.index(label)
    return int(compiled.tables.links[place.link]["iq"]) + place.direct[at]


def _short(error: KinetreeError) -> str:
    """What is wrong with a case that cannot be assembled, without the diagnosis, which takes long."""
    if error.args and callable(error.args[0]):
        return "no position closes all loops"
    return reason(error)


def _steps(error: SimulationError) -> int:
    result = getattr(getattr(error, "solution", None), "result", None)
    return 0 if result is None else int(result.accepted)
