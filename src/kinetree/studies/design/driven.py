"""Rows of a study whose mechanism is moved by drivers alone: kinematics instead of a run."""

from __future__ import annotations

import numpy as np

from ...analysis.linear.independent_coordinates import null_space
from ...analysis.sampled import as_solution
from ...assembly.result import Assembly
from ...assembly.system import System
from ...description.lowering.compiled import CompiledModel
from ...errors import KinetreeError, ModelError, SimulationError
from ..cases.finder import GENERAL, CaseFinder
from ..cases.rows import DONE, ERROR, NOT_ASSEMBLED, STOPPED, Row, RowMaker
from ..cases.search import Infeasible
from ..outputs import COUNT, TIME, Output, Values
from ..parameters.source import reason
from .positions import march


class DrivenRows(RowMaker):
    """Makes the rows of one thread, as `RowMaker` does, from positions at given times."""

    def __init__(self, finder: CaseFinder, outputs: tuple[Output, ...], times: np.ndarray) -> None:
        super().__init__(finder, outputs, None, None)
        self._described = any(map(self._needs_model, outputs))
        base = finder.plan.assembly
        wanted = [one.t for one in outputs if one.kind == "at"]
        self.times = np.unique(np.concatenate([[base.t], times, wanted]))
        self.grid = times
        self._storage = finder.plan.method.storage
        patched = self._worker.patched
        self._work = patched.common.workspace(self._storage) if patched is not None else None
        self._travels = _travels(base.compiled)
        _refuse(base, outputs)
        size = base.compiled.size
        self._tried = np.zeros(size["nq"])
        self._out = np.zeros((len(self.times), size["nq"] + size["nv"] + len(base.x)))

    def row(self, p: np.ndarray, values: np.ndarray | None = None) -> Row:
        """The row of a case; errors of the case become its reason."""
        try:
            case = self._worker.case(p, values, self._described, True)
            return Row(DONE, self._positions(case.assembly, case.way != GENERAL))
        except Infeasible as error:
            return Row(NOT_ASSEMBLED, reason=str(error))
        except SimulationError as error:
            return Row(STOPPED, reason=reason(error))
        except KinetreeError as error:
            return Row(NOT_ASSEMBLED, reason=reason(error))
        except Exception as error:  # of the user's functions
            return Row(ERROR, reason=reason(error))

    def _positions(self, assembly: Assembly, patched: bool) -> Values:
        compiled, out = assembly.compiled, self._out
        work = self._work if patched else compiled.workspace(self._storage)
        length = float(compiled.tables.settings[0]["length"])
        natural, unit = (np.where(one, 1.0 / length, 1.0) for one in self._travels)
        q, v, x = assembly.q.copy(), assembly.v.copy(), assembly.x.copy()
        reached = march(compiled.tables, work, self.times, natural, unit, q, v, x, self._tried, out)
        if reached < len(self.times):
            raise SimulationError(
                f"the mechanism cannot move beyond t = {self.times[max(reached - 1, 0)]:g} s",
                float(self.times[max(reached - 1, 0)]),
                "",
                None,
            )
        n = len(self.times)
        nothing = np.zeros((n, compiled.size["nv"])), np.zeros((n, compiled.size["ng"]))
        sol = as_solution(assembly, self.times, out, *nothing, "kinematics")
        keep = np.searchsorted(self.times, self.grid)
        found: Values = {}
        for one in self.outputs:
            if one.kind == "at":
                found |= one.values(sol)
            else:
                found |= one.values(_Part(sol, keep))  # type: ignore[arg-type]
        return found


class _Part:
    """A solution at some of its samples."""

    def __init__(self, sol, keep: np.ndarray) -> None:
        self._sol, self._keep = sol, keep
        self.t, self.channels = sol.t[keep], sol.channels

    def __getitem__(self, name: str) -> np.ndarray:
        return self._sol[name][self._keep]


def _travels(compiled: CompiledModel) -> tuple[np.ndarray, np.ndarray]:
    """Per velocity and per coordinate, whether it is a translation."""
    speed, place = np.zeros(compiled.size["nv"], bool), np.zeros(compiled.size["nq"], bool)
    for i in range(1, len(compiled.bodies)):
        joint, link = compiled.joint_class(i), compiled.tables.links[i]
        for k, one in enumerate(joint.units):
            if one == "m":  # translations come first; a quaternion behind them has no unit
                speed[int(link["iv"]) + k] = place[int(link["iq"]) + k] = True
    return speed, place


def _refuse(base: Assembly, outputs: tuple[Output, ...]) -> None:
    """Raise an error where positions are not determined by drivers, or an output needs forces."""
    turns = sum(len(place.turns) for place in base.compiled.joints.values())
    if len(base.x) > turns:
        raise ModelError(
            "times= is for positions alone, and the model has states of force elements or "
            "controllers. Give until= to simulate it."
        )
    system = System(base.compiled)
    system.values(base.t, base.q, base.x)
    free = null_space(system.jacobian(), system.natural).shape[1]
    if free:
        raise ModelError(
            f"times= is for mechanisms that drivers move completely; this one has {free} more "
            "degrees of freedom. Add a kt.Driver, or give until= to simulate it."
        )
    for one in outputs:
        if one.kind in (TIME, COUNT):
            raise ModelError(f"output {one.name!r} is of an event; give until= instead of times=.")
