"""Runs to an end state alone, with the time loop, its storage and its options prepared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..engine.integrators.integrate import Integration
from ..engine.integrators.result import Result
from ..engine.integrators.segments import NO_BREAKS, Breaks
from ..options import ATOL, RTOL
from .plan import Plan
from .run import breaks_in, configured, jump_of, stepping
from .scales import Scales


def can_step(plan: Plan) -> bool:
    """Whether a `Stepper` can run a plan: without user code, events and beams."""
    return not (plan.watched or plan.in_nodes or plan.assembly.compiled.code)


class Stepper:
    """A prepared run of one thread."""

    def __init__(self, plan: Plan) -> None:
        options = plan.options(plan.assembly.t + 1.0)
        self._chosen, self._method, self._name = options.chosen, plan.method, plan.integrator.name
        self._assembly = configured(plan.assembly, plan.method, options)
        compiled = self._assembly.compiled
        self._own = stepping(self._assembly, plan.integrator, options.to_dict())
        self._scales = Scales.of(compiled)
        self._speeds = slice(compiled.size["nq"], compiled.size["nq"] + compiled.size["nv"])
        self._y = np.zeros(len(plan.assembly.y) + self._scales.works)
        self._breaks = bool(compiled.signals) or options.chosen["breakpoints"] is not None
        self._breaks |= any(len(one.spec.breakpoints) for one in compiled.model.with_states)
        self._tolerance: tuple[float, float, np.ndarray] = 0.0, 0.0, self._scales.units
        storage = (*plan.method.storage, *plan.integrator.storage)
        self._lent = compiled.pool.lend(storage, len(self._y))
        self._bind()

    def _bind(self) -> None:
        """Bind the time loop to the workspace."""
        self._integration = Integration(
            self._method.rhs,
            len(self._y),
            project=self._method.project,
            tables=self._assembly.compiled.tables,
            work=self._lent.work,
            method=self._name,
            carried=self._scales.works,
            **self._own,
        )
        self._jump = jump_of(self._assembly, self._lent.work)

    def run(self, t: float, y: np.ndarray, until: float, given: dict[str, Any]) -> Result:
        """Integrate from the state y at t; `given` are tolerances other than those of the plan."""
        lent = self._lent.renewed()
        if lent is not self._lent:
            self._lent = lent
            self._bind()
        duration = until - t
        second = self._scales.second(duration)
        self._y[: len(y)] = y
        return self._integration.run(
            self._y,
            until,
            t0=t,
            breaks=self._breaks_in(t, until),
            jump=self._jump,
            quadratures=self._scales.energies(y[self._speeds], duration),
            second=second,
            **self._with_tolerances(given, second),
        )

    def _breaks_in(self, t: float, until: float) -> Breaks:
        if not self._breaks:
            return NO_BREAKS
        return breaks_in(replace(self._assembly, t=t), until, self._chosen)

    def _with_tolerances(self, given: dict[str, Any], second: float) -> dict[str, Any]:
        """The given options, with the absolute tolerance of every state."""
        if ATOL.name not in self._own:
            return given
        rtol = given.get(RTOL.name, self._chosen[RTOL.name])
        base = given.get(ATOL.name, self._chosen[ATOL.name])
        base = rtol if base is None else base
        if self._tolerance[:2] != (base, second):
            self._tolerance = base, second, self._scales.tolerances(base, second)
        return {RTOL.name: rtol, ATOL.name: self._tolerance[2]}
