"""Cases of a study: for values of its parameters, a compiled model with a consistent start.

There are three ways to it, from fast to general, with the same result up to rounding:

* *patched*: the numbers that depend on parameters are written into the tables of one model;
* *built*: the model is built and lowered, because a number is not a polynomial of the parameters;
* *general*: `assembly/prepare.py` does all of it, as in `kt.simulate`.

The first two close loops by compiled kernels (`closing.py`), and give way to the third where a case
is unusual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...assembly.result import Assembly
from ...description.lowering.flexible import beams_of
from ...description.model import Model
from ...errors import KinetreeError, ModelError, counted
from ...kernel.tables.records import Tables
from ...simulation.plan import Plan, plan_of
from ...simulation.prepared import _DEFAULTS
from ...simulation.run import options_of
from ..parameters.blueprint import Blueprint
from ..parameters.map import AnotherStructure, ParameterMap, Unmapped
from ..parameters.source import Source, source_of
from .patched import PatchedModel
from .start import StartFinder, Unusual

PATCHED, BUILT, GENERAL = "patched", "built", "general"
TRIALS = 40  # values tried until a model assembles


@dataclass(frozen=True)
class Case:
    """A case that is ready to run.

    Attributes
    ----------
    assembly : Assembly
        The consistent start, with the compiled model.
    way : str
        "patched", "built" or "general".
    why : str
        Why the case took the general way; empty otherwise.
    """

    assembly: Assembly
    way: str
    why: str = ""


class CaseFinder:
    """Cases of a source for parameters in given ranges.

    Parameters
    ----------
    make : callable, path or Source
        Function that returns the model, or a model file.
    low, high : dict of str to float
        Ranges of the numeric parameters.
    options : dict
        Arguments of `simulate`, except `until`, `output_interval`, `progress` and `out`.
    fixed : dict, optional
        Values of other parameters, the same in all cases.

    Attributes
    ----------
    names : tuple of str
        The parameters.
    plan : Plan
        The assembled base model with its methods and options.
    obstacle : str
        Why all cases take the general way; empty if they do not.
    map : ParameterMap or None
        The numbers that depend on parameters, unless there is an obstacle.
    """

    def __init__(
        self,
        make: Any,
        low: Mapping[str, float],
        high: Mapping[str, float],
        options: Mapping[str, Any] | None = None,
        fixed: Mapping[str, Any] | None = None,
    ) -> None:
        self.source: Source = source_of(make)
        self.fixed, self.names = dict(fixed or {}), tuple(low)
        self.source.check((*self.names, *self.fixed))
        self.options = dict(options or {})
        self._low = np.array([low[k] for k in self.names], float)
        self._high = np.array([high[k] for k in self.names], float)
        self.map: ParameterMap | None = None
        self.plan = self._base_plan()
        self.obstacle = obstacle(self.plan)
        if not self.obstacle:
            self.obstacle = self._mapped()

    def model(self, p: Sequence[float] | np.ndarray) -> Model:
        """The model for parameters in the order of `names`."""
        return self.source({**self.fixed, **dict(zip(self.names, map(float, p)))})

    def general_plan(self, p: Sequence[float] | np.ndarray) -> Plan:
        """The plan of a case in the general way; raises what `simulate` raises."""
        return plan_of(self.model(p), {**_DEFAULTS, **self.options}, "study")

    def worker(self) -> CaseWorker:
        """A worker for one thread."""
        return CaseWorker(self)

    def case(self, p: Sequence[float] | np.ndarray) -> Case:
        """One case with tables of its own, ready for anything that takes an assembly."""
        worker = self.worker()
        found = worker.case(p)
        if found.way == GENERAL:
            return found
        return Case(replace(found.assembly, compiled=worker.copied()), found.way)

    def _base_plan(self) -> Plan:
        """The plan of the first model, from the middle of the ranges on, that assembles."""
        rng, first = np.random.default_rng(0), None
        for trial in range(TRIALS):
            u = np.zeros(len(self.names)) if trial == 0 else rng.uniform(-1, 1, len(self.names))
            p = 0.5 * (self._low + self._high) + 0.5 * (self._high - self._low) * u
            try:
                return self.general_plan(p)
            except KinetreeError as error:
                first = first or error
        raise ModelError(
            f"none of {counted(TRIALS, 'model', 'models')} in the ranges of the parameters can be "
            f"simulated. The first one: {first}"
        ) from first

    def _mapped(self) -> str:
        """Find the map; the sentence of what prevents it, or ""."""
        plan = self.plan
        try:
            found = ParameterMap(self.names, self._low, self._high, self.lower)
        except AnotherStructure as error:
            return f"models for different parameters differ in their {error}"
        except KinetreeError as error:
            return f"a model in the ranges of the parameters cannot be built ({error})"
        if found.lasting:
            return f"{found.lasting} depend on parameters"
        if found.base.lowered.tree != plan.assembly.compiled.tree:
            return "the spanning tree depends on parameters"
        self.map = found
        return ""

    def lower(self, p: np.ndarray) -> Blueprint:
        """The blueprint of a case."""
        return Blueprint.of(self.model(p), self.plan.topology, self._configure)

    def _configure(self, tables: Tables) -> Tables:
        plan = self.plan
        chosen = plan.chosen(plan.assembly.t + 1.0)
        return plan.method.configure(tables, options_of(plan.method, chosen), plan.assembly.rank)

    def __getstate__(self) -> dict[str, Any]:
        own = dict(vars(self))
        own.update(plan=None, map=None)
        return own


class CaseWorker:
    """Finds cases one after the other; one thread at a time may use it."""

    def __init__(self, finder: CaseFinder) -> None:
        self.finder = finder
        self.patched: PatchedModel | None = None
        if finder.map is not None:
            self.patched = PatchedModel(finder.map.base, finder.map.changed)
            plan = finder.plan
            self._start = StartFinder(self.patched, plan.assembly.t, plan.assembly.rank)

    def case(
        self,
        p: Sequence[float] | np.ndarray,
        values: np.ndarray | None = None,
        described: bool = False,
    ) -> Case:
        """The case; its tables are written again by the next one.

        values: the changed numbers, if they are known already; described: whether the model itself
        is needed, not only its tables.
        """
        finder = self.finder
        if self.patched is None or finder.map is None:
            return Case(finder.general_plan(p).assembly, GENERAL, finder.obstacle)
        try:
            way = self._write(p, values, described)
            q, v, x = self._start.find()
        except (Unusual, Unmapped) as doubt:
            return Case(finder.general_plan(p).assembly, GENERAL, str(doubt))
        except AnotherStructure as other:
            why = f"its {other} differ from those of the other cases"
            return Case(finder.general_plan(p).assembly, GENERAL, why)
        except KinetreeError as error:  # the general way raises it with its explanation
            return Case(finder.general_plan(p).assembly, GENERAL, str(type(error).__name__))
        base = finder.plan.assembly
        compiled = self.patched.compiled
        found = replace(base, compiled=compiled, q=q.copy(), v=v.copy(), x=x.copy())
        return Case(found, way)

    def _write(self, p: Any, values: np.ndarray | None, described: bool) -> str:
        assert self.patched is not None and self.finder.map is not None
        found = self.finder.map
        if len(found.irregular):
            blueprint = self.finder.lower(np.asarray(p, float))
            self.patched.write(found.built_values(blueprint), blueprint.model)
            return BUILT
        model = self.finder.model(p).snapshot() if described else None
        self.patched.write(found.values(np.asarray(p, float))[0] if values is None else values, model)
        return PATCHED

    def copied(self) -> Any:
        """The compiled model of the present case, with tables of its own."""
        assert self.patched is not None
        return self.patched.copied()


def obstacle(plan: Plan) -> str:
    """Why cases of a plan cannot be patched, in words; "" if they can."""
    compiled = plan.assembly.compiled
    if plan.in_nodes or beams_of(plan.model):
        return "the model has beams"
    if plan.coordinates != "relative":
        return f"the runs are in {plan.coordinates} coordinates"
    if plan.model.generated is not None:
        return "the model has generated equations"
    if compiled.code:
        return "the model has user code"
    if len(compiled.tables.kind):
        return "the model is large"
    if plan.starts_elsewhere:
        return "the runs start from a given state"
    if plan.assembly.absorbed:
        return "redundant constraints leave a gap"
    if any(b.velocity is not None or b.angular_velocity is not None for b in plan.model.bodies.values()):
        return "bodies have given velocities"
    if compiled.size["ng"] and any(
        label not in joint.joint.scalars for joint in plan.model.joints.values() for label in joint.start
    ):
        return "rotations of joints in loops are given"
    places = compiled.joints.values()
    if any(place.direct is None and place.spec.speed for place in places):
        return "speeds of cut joints are given"
    return ""
