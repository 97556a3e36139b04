"""Batches: many cases of one thread in one compiled call, which releases the interpreter lock.

Python prepares what all cases have in common, and the scales of each (vectorized); the kernels of
`kernels.py` do the rest. The interpreter is needed for a few microseconds per case, so that
threads run side by side.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...assembly.start import COINCIDE
from ...elements.constraints.contract import Constraint
from ...elements.forces.contract import Force
from ...engine.integrators.budget import MEASURED, Budget
from ...engine.integrators.memory import ATOL as TOLERANCES
from ...engine.integrators.memory import FULL
from ...engine.integrators.segments import enter
from ...errors import AssemblyError
from ...kernel.tables.joint_inertia import joint_inertia_places
from ...kernel.tables.rows import position_rows
from ...simulation.scales import LEDGER
from .blocks import Batch, Equations, Samples, Starts
from .finder import CaseFinder, CaseWorker
from .kernels import UNUSUAL, entry
from .run import CaseRun

FEW, SECONDS = 8, 0.05  # cases of the first call, and the time that a call should take
KEPT = 1 << 24  # bytes of samples that are kept in a call


class Ran(NamedTuple):
    """Cases that were run: their indices, steps, and states."""

    cases: np.ndarray
    steps: np.ndarray
    t: np.ndarray
    y: np.ndarray  # (times, cases, states that are kept)


class CaseBatch:
    """Runs patched cases of a study together; one thread at a time may use it.

    It has tables of its own, so that cases may be run alone in between.

    Attributes
    ----------
    obstacle : str
        Why cases of the study cannot be run together; empty if they can.

    Parameters
    ----------
    samples : ndarray
        Times of the samples; without them the start and the end of the run are kept.
    kept : ndarray of int
        Indices of the states that are kept.
    """

    def __init__(
        self,
        finder: CaseFinder,
        until: float,
        interval: float | None,
        samples: np.ndarray,
        kept: np.ndarray,
    ) -> None:
        worker = CaseWorker(finder)
        assert worker.patched is not None and finder.map is not None
        self._patched, self._start = worker.patched, worker.start
        self._run = CaseRun(finder.plan, worker.patched, until, interval)
        self._t0, self._until = finder.plan.assembly.t, until
        self._samples, self._kept = samples, kept
        self._rank, self._masses = finder.plan.assembly.rank, finder.map.changes_inertia
        forces = finder.plan.model.forces.values()
        self._checked = [
            (k, one.spec)
            for k, one in enumerate(forces)
            if len(one.markers) > 1 and _overrides(one.spec, Force, "check_start")
        ]
        self._lent = self._run.lend(finder.plan.method.storage)
        self.obstacle = obstacle(finder, self._run)
        if not self.obstacle:
            self._begin()
            self._bind()

    def run(self, values: np.ndarray, stopped: Callable[[], bool]) -> Iterator[Ran]:
        """Run cases with these changed numbers, until `stopped` returns True. Cases that are missing
        in the end must be run alone.
        """
        links = self._patched.rows("links", values)
        settings = self._patched.rows("settings", values)[:, 0]
        batch = self._batch(values, settings, links)
        if self._masses:
            batch.status[~self._start.same_patterns(links[:, 1:])] = UNUSUAL
        begin, count, vain = 0, min(FEW, len(batch.kept)), 0
        while begin < len(values) and 2 * vain <= begin and not stopped():
            began, end = time.perf_counter(), min(begin + count, len(values))
            vain += self._call(begin, end, batch)
            taken = time.perf_counter() - began
            here = np.arange(begin, end)[batch.status[begin:end] != UNUSUAL]
            if self._checked:
                length = settings["length"]
                here = here[[self._starts_well(batch.paths[k], length[k]) for k in here]]
            yield Ran(here, batch.steps[here], self._times, self._states(batch, here, begin))
            wanted = min(2 * count, int(count * SECONDS / max(taken, 1e-6)), len(batch.kept))
            begin, count = end, max(1, wanted)

    def _states(self, batch: Batch, here: np.ndarray, begin: int) -> np.ndarray:
        """The states of cases that are kept, by time."""
        if len(self._samples):
            return batch.kept[here - begin].swapaxes(0, 1)
        return np.stack([batch.first[here][:, self._kept], batch.last[here][:, self._kept]])

    def _begin(self) -> None:
        """The storage of a run at its start, from which all cases begin."""
        run, samples = self._run, self._samples
        y = np.zeros(run.width)
        own, segments = run.integration.begin(y, self._until, self._t0, samples)
        self._times = samples if len(samples) else np.array([self._t0, self._until])
        method = run.integration.entry
        self._arrays = enter(own.arrays, own.control, own.memory, method, segments[0])
        self._storage = own
        self._words = [getattr(self._arrays, name).view(np.int64) for name in ("control", "memory")]
        self._new = [words.copy() for words in self._words]
        most = run.chosen["max_steps"]
        self._attempts = int(min(Budget(method, 0, most, None, self._until).steps, MEASURED))

    def _bind(self) -> None:
        """The kernel and the arguments that are the same in all calls."""
        start, run = self._start, self._run
        free = _equations(start.free, start.patched.others, start.travels, "")
        if start.held is None:
            held, held_on = free, start.free
        else:
            held_on = start.held
            held = _equations(held_on, start.patched.others, start.travels, " with drivers")
        self._models = (
            start.free.tables, start.free.work, free, held_on.tables, held_on.work, held,
            self._starts(), run.lent.work, self._lent.work, *run.integration.kernels, *self._words,
            self._arrays, self._completed(),
        )  # fmt: skip

    def _starts(self) -> Starts:
        start = self._start
        others, axes = start.patched.others, start.axes_at
        count, nx = len(start.free.g), len(start.x)
        return Starts(
            drawn=others["drawn position"],
            speeds=others["speeds"],
            dofs=start.dofs,
            lengths=start.is_length.astype(float),
            pairs=start.pairs,
            frames=others["frames of joints"],
            axes_at=axes,
            axes=np.zeros(axes.shape),
            ways=start.ways,
            tried=start.tried,
            T=start.T[0],
            T_behind=start.T[1],
            **dict(zip("AWsb", start.stacked)),
            q=start.q,
            v=start.v,
            x=start.x,
            x_held=np.zeros(nx if start.held is None else len(start.held.x)),
            scaled=np.zeros(count),
            units=np.zeros(len(start.dofs)),
        )

    def _completed(self) -> Samples:
        """Storage for the samples of one run."""
        count, start = len(self._samples), self._start
        n = self._run.width - self._run.scales.works
        nv, ng = len(start.v), len(start.free.g)
        return Samples(
            states=np.zeros((count, n)),
            ydot=np.zeros(n),
            raw=np.zeros(n),
            before=np.zeros(n),
            back=np.zeros(nv),
            vdot=np.zeros((count, nv)),
            lam=np.zeros((count, ng)),
            loads=np.zeros((count, len(self._lent.work.place_loads))),
        )

    def _batch(self, values: np.ndarray, settings: np.ndarray, links: np.ndarray) -> Batch:
        """The block of many cases."""
        run, cases = self._run, len(values)
        pool = self._patched.rows("pool", values)
        joints = pool[:, joint_inertia_places(self._patched.run.tables)]
        many = run.scales.of_many(settings, links, joints, self._until - self._t0)
        n = run.width - run.scales.works
        rtol, atol = run.tolerance
        fixed = self._arrays.vectors[TOLERANCES, :n]
        places = dict(zip(("run", "held", "other"), self._patched.targets))
        each = 8 * len(self._samples) * len(self._kept)
        together = max(1, min(cases, KEPT // max(each, 1)))
        (work, new), (sample, sample_new) = run.lent.words, self._lent.words  # type: ignore[misc]
        return Batch(
            numbers=np.ascontiguousarray(values),
            **{f"{name}_words": one[0] for name, one in places.items()},
            **{f"{name}_places": one[1] for name, one in places.items()},
            **{f"{name}_members": one[2] for name, one in places.items()},
            work_words=work,
            work_new=new,
            sample_words=sample,
            sample_new=sample_new,
            control=self._new[0],
            memory=self._new[1],
            seconds=many.seconds,
            tolerances=np.tile(fixed, (cases, 1)) if atol is None else atol * many.units,
            energies=many.energies,
            rates=many.rates,
            numerical=np.array([self._t0, self._until - self._t0, rtol, LEDGER]),
            counts=np.array([self._rank, self._start.held is not None, self._attempts]),
            status=np.zeros(cases, np.int64),
            steps=np.zeros(cases, np.int64),
            first=np.zeros((cases, n)),
            last=np.zeros((cases, n)),
            paths=np.zeros((cases, len(self._patched.run.tables.forces))),
            kept=np.zeros((together, len(self._samples), len(self._kept))),
            kept_at=self._kept,
        )

    def _call(self, begin: int, end: int, batch: Batch) -> int:
        tables, work, *others = self._models
        return int(entry()(tables, work, begin, end, *others, batch))

    def _starts_well(self, paths: np.ndarray, length: float) -> bool:
        """Whether no force objects to the length of its path at the start."""
        try:
            for k, spec in self._checked:
                spec.check_start(float(paths[k]), COINCIDE * float(length))
        except AssemblyError:
            return False
        return True


def obstacle(finder: CaseFinder, run: CaseRun) -> str:
    """Why cases cannot be run together, in words; "" if they can."""
    model, elements = finder.plan.model, finder.plan.assembly.compiled
    if elements.unresolved:
        return "the model leaves numbers open"
    if run.has_breaks or finder.plan.watched:
        return "runs have breaks or events"
    if run.chosen["time_limit"] is not None:
        return "runs have a limit of time"
    if run.lent.words is None or run.integration.layout.newton != FULL:
        return "the model is large"
    if any(_overrides(one.spec, Force, "check_place") for one in model.forces.values()):
        return "forces check their places"
    if any(
        len(one.markers) == 2 and _overrides(one.spec, Constraint, "check_length", "check_axes")
        for one in model.constraints.values()
    ):
        return "constraints check their places"
    return ""


def _overrides(spec: Any, base: type, *names: str) -> bool:
    return any(getattr(type(spec), name) is not getattr(base, name) for name in names)


def _equations(on: Any, others: dict[str, np.ndarray], travels: np.ndarray, tail: str) -> Equations:
    count, nv = len(on.g), len(travels)
    return Equations(
        travels=travels.astype(float),
        of_positions=position_rows(on.tables).astype(float),
        scale=np.zeros(count),
        holonomic=np.zeros(count),
        natural=np.zeros(nv),
        root=np.zeros(nv),
        A=on.A,
        W=on.W,
        s=on.s,
        g=on.g,
        step=on.step,
        q_new=on.q,
        x_new=on.x,
        states=others[f"initial states{tail}"],
        turns=others[f"turns{tail}"],
    )
