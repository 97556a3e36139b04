"""Cases of a study: for values of its parameters, a compiled model with a consistent start.

There are three ways to it, from fast to general, with the same result up to rounding:

* *patched*: the numbers that depend on parameters are written into the tables of one model;
* *built*: the model is built and lowered, because a number is not a polynomial of the parameters;
* *general*: `assembly/prepare.py` does all of it, as in `kt.simulate`.

The first two close loops by compiled kernels (`closing.py`), and give way to the third where a case
is unusual.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...assembly.result import Assembly
from ...description.lowering.flexible import beams_of
from ...description.model import Model
from ...errors import KinetreeError, ModelError, UnknownArgument, counted
from ...kernel.tables.records import Tables
from ...simulation.plan import Plan, plan_of
from ...simulation.prepared import _DEFAULTS
from ...simulation.run import options_of
from ..parameters.blueprint import Blueprint
from ..parameters.map import AnotherStructure, ParameterMap, Unmapped
from ..parameters.polynomials import BESIDE, ROUNDING
from ..parameters.source import Source, reason, source_of
from .patched import PatchedModel
from .start import StartFinder, Unusual

PATCHED, BUILT, GENERAL = "patched", "built", "general"
TRIALS = 40  # values tried until a model assembles


@dataclass(frozen=True)
class Case:
    """A case that is ready to run.

    Its assembly has the state alone; what an assembly reports is that of the base model, unless the
    case took the general way.

    Attributes
    ----------
    assembly : Assembly
        The consistent start, with the compiled model.
    way : str
        "patched", "built" or "general".
    why : str
        Why the case took the general way; empty otherwise.
    plan : Plan or None
        All choices of its run, if it took the general way.
    """

    assembly: Assembly
    way: str
    why: str = ""
    plan: Plan | None = None


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
    trials : ndarray, optional
        Cases from which the base model is chosen; by default from the middle of the ranges on.
    named : callable, optional
        Returns parameters by name from a row of numbers.
    runs : bool, default True
        Whether cases are simulated; otherwise they are models alone.
    levels : sequence of ndarray, optional
        All values of each parameter that has few; an empty array for the others.

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
        trials: np.ndarray | None = None,
        named: Callable[[Any], dict[str, float]] | None = None,
        runs: bool = True,
        levels: Sequence[np.ndarray] = (),
    ) -> None:
        self.source: Source = source_of(make)
        self.fixed, self.names = dict(fixed or {}), tuple(low)
        self.source.check((*self.names, *self.fixed))
        self.options = dict(options or {})
        self._low = np.array([low[k] for k in self.names], float)
        self._high = np.array([high[k] for k in self.names], float)
        self._named = named or (lambda p: dict(zip(self.names, map(float, p))))
        self._trials = self._usual_trials() if trials is None else trials[:TRIALS]
        self.map: ParameterMap | None = None
        self._levels = levels
        self.obstacle = "the study has no runs"
        if runs:
            self.plan = self._base_plan()
            self.obstacle = obstacle(self.plan) or self._mapped()

    def model(self, p: Sequence[float] | np.ndarray) -> Model:
        """The model for parameters in the order of `names`."""
        return self.source({**self.fixed, **self._named(p)})

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

    def _usual_trials(self) -> np.ndarray:
        u = np.random.default_rng(0).uniform(-1.0, 1.0, (TRIALS, len(self.names)))
        u[0] = 0.0
        return 0.5 * (self._low + self._high) + 0.5 * (self._high - self._low) * u

    def _base_plan(self) -> Plan:
        """The plan of the first trial that can be simulated."""
        first: Exception | None = None
        for p in self._trials:
            try:
                return self.general_plan(p)
            except UnknownArgument:
                raise
            except Exception as error:  # also what the user's function raises
                first = first or error
        assert first is not None
        raise ModelError(
            f"none of {counted(len(self._trials), 'case', 'cases')} tried can be simulated. The "
            f"first one: {reason(first)}"
        ) from first

    def _mapped(self) -> str:
        """Find the map; the sentence of what prevents it, or ""."""
        plan = self.plan
        try:
            found = ParameterMap(self.names, self._low, self._high, self.lower, self._levels)
        except AnotherStructure as error:
            return f"models for different parameters differ in their {error}"
        except Exception as error:  # also what the user's function raises
            return f"a model in the ranges of the parameters cannot be built ({reason(error)})"
        if found.lasting:
            return f"{found.lasting} depend on parameters"
        if found.base.lowered.tree != plan.assembly.compiled.tree:
            return "the spanning tree depends on parameters"
        self.map = found
        return ""

    def lower(self, p: np.ndarray) -> Blueprint:
        """The blueprint of a case."""
        return Blueprint.of(self.model(p), self.plan.topology, self._configure)

    def agrees(self, p: np.ndarray, values: np.ndarray) -> bool:
        """Whether a model that is built has the numbers that the map has for it."""
        assert self.map is not None
        try:
            own = self.map.built_values(self.lower(p))
        except (AnotherStructure, Unmapped):
            return False
        except Exception:  # the case itself reports it
            return True
        size = np.maximum(np.abs(own), BESIDE * self.map.base.sizes[self.map.changed])
        return bool((_same(own, values) | (np.abs(own - values) <= 10.0 * ROUNDING * size)).all())

    def _configure(self, tables: Tables) -> Tables:
        plan = self.plan
        chosen = plan.chosen(plan.assembly.t + 1.0)
        return plan.method.configure(tables, options_of(plan.method, chosen), plan.assembly.rank)


class CaseWorker:
    """Finds cases one after the other; one thread at a time may use it."""

    def __init__(self, finder: CaseFinder) -> None:
        self.finder, self.build_all = finder, False
        self.patched: PatchedModel | None = None
        if finder.map is not None:
            self.patched = PatchedModel(finder.map.base, finder.map.changed)
            plan = finder.plan
            self.start = StartFinder(
                self.patched, plan.assembly.t, plan.assembly.rank, finder.map.changes_inertia
            )

    def case(
        self,
        p: Sequence[float] | np.ndarray,
        values: np.ndarray | None = None,
        described: bool = False,
        framed: bool = True,
    ) -> Case:
        """The case; its tables are written again by the next one.

        values: the changed numbers, if they are known already; described: whether the model itself
        is needed, not only its tables; framed: whether the frames of bodies and joints are.
        """
        finder = self.finder
        if self.patched is None or finder.map is None:
            return self._general(p, finder.obstacle)
        try:
            way = self._write(p, values, described)
            q, v, x = self.start.find()
        except (Unusual, Unmapped) as doubt:
            return self._general(p, str(doubt))
        except AnotherStructure as other:
            return self._general(p, f"its {other} differ from those of the other cases")
        except KinetreeError as error:  # the general way raises it with its explanation
            return self._general(p, type(error).__name__)
        base = finder.plan.assembly
        compiled = self.patched.compiled if framed or described else self.patched.common
        found = replace(base, compiled=compiled, q=q.copy(), v=v.copy(), x=x.copy())
        return Case(found, way)

    def _general(self, p: Sequence[float] | np.ndarray, why: str) -> Case:
        plan = self.finder.general_plan(p)
        return Case(plan.assembly, GENERAL, why, plan)

    def _write(self, p: Any, values: np.ndarray | None, described: bool) -> str:
        assert self.patched is not None and self.finder.map is not None
        found = self.finder.map
        if len(found.irregular) or self.build_all:
            blueprint = self.finder.lower(np.asarray(p, float))
            self.patched.write(found.built_values(blueprint), blueprint.model)
            return BUILT
        model = self.finder.model(p).snapshot() if described else None
        self.patched.write(
            found.values(np.asarray(p, float))[0] if values is None else values, model
        )
        return PATCHED

    def copied(self) -> Any:
        """The compiled model of the present case, with tables of its own."""
        assert self.patched is not None
        return self.patched.copied()


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a == b) | (np.isnan(a) & np.isnan(b))


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
    if len(compiled.tables.places):
        return "the model has contacts without deformation"
    if len(compiled.tables.kind):
        return "the model is large"
    if plan.starts_elsewhere:
        return "the runs start from a given state"
    if plan.assembly.absorbed:
        return "redundant constraints leave a gap"
    if any(
        b.velocity is not None or b.angular_velocity is not None for b in plan.model.bodies.values()
    ):
        return "bodies have given velocities"
    if compiled.size["ng"] and any(
        label not in joint.joint.scalars
        for joint in plan.model.joints.values()
        for label in joint.start
    ):
        return "rotations of joints in loops are given"
    places = compiled.joints.values()
    if any(place.direct is None and place.spec.speed for place in places):
        return "speeds of cut joints are given"
    return ""
