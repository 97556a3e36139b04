"""The model of a run and its companions, each with one parameter changed: tables, states, clocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...assembly.result import Assembly
from ...engine.integrators.companions import END, INCREMENT, OWN, RATE, SHARED, own_times
from ...engine.integrators.segments import Segment, split_at_breaks
from ...errors import ModelError
from ...kernel.tables.records import ADDRESSES, BASES, Tables
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...simulation.events.batch import Batch
from ...simulation.events.detector import EventDetector
from ...simulation.events.event import Event
from ...simulation.plan import Plan
from ...simulation.run import Options, breaks_in, configured, jump_of
from ...simulation.scales import Scales
from .parameters import Parameter

INCREMENT_OF_STATES = 1e-5  # of the unit of a state, in differences
SMOOTH = 1e-6  # of the unit of a state: largest second difference of an initial state


@dataclass(frozen=True)
class Member:
    """One model beside others: the nominal one, or a companion."""

    plan: Plan
    assembly: Assembly  # with the settings of the formulation
    options: Options
    work: Work
    events: tuple[Event, ...]
    segments: list[Segment] = field(default_factory=list)

    @classmethod
    def of(cls, plan: Plan, until: float, events: tuple[Event, ...]) -> Member:
        """The model of a plan, prepared for a run."""
        options = plan.options(until)
        assembly = configured(plan.assembly, plan.method, options)
        storage = (*plan.method.storage, *plan.integrator.storage)
        breaks = breaks_in(assembly, until, options.chosen)
        segments = split_at_breaks(assembly.t, until, breaks)
        work = assembly.compiled.workspace(storage)
        work = work._replace(failed=np.zeros(len(assembly.y)))
        return cls(plan, assembly, options, work, events, segments)

    @property
    def n(self) -> int:
        """Number of states."""
        return len(self.assembly.y)

    @cached_property
    def jump(self) -> Callable[[float, np.ndarray], Status] | None:
        """The change of the state at a jump of the equations."""
        return jump_of(self.assembly, self.work)

    @cached_property
    def batch(self) -> Batch:
        """Channels of the model at given states."""
        return Batch(self.assembly, self.plan.method, self.options.to_dict())

    @cached_property
    def detector(self) -> EventDetector:
        """The values of the events of the model."""
        rtol = self.options.chosen.get("rtol") or 1e-8
        return EventDetector(
            self.events, self.batch, rtol, self.assembly.t, self.options.until, self.n
        )


class Pair:
    """The two companions of a parameter."""

    def __init__(self, parameter: Parameter, up: Member, down: Member) -> None:
        self.parameter, self.members = parameter, (up, down)
        self.increments = np.array([parameter.increment, -parameter.increment])

    @property
    def width(self) -> float:
        """Difference of the parameter between the companions."""
        return float(self.increments[0] - self.increments[1])

    def clock_rates(self, clocks: np.ndarray, t: float | np.ndarray) -> np.ndarray:
        """dt/dp by the two clocks of the companions."""
        return self.difference(own_times(clocks[0], t), own_times(clocks[1], t))

    def along(
        self,
        evaluate: Callable[[Member, np.ndarray, np.ndarray], np.ndarray],
        nominal: Member,
        clocks: np.ndarray,
        t: np.ndarray,
        y: np.ndarray,
        s: np.ndarray,
        later: float = 0.0,
    ) -> np.ndarray:
        """Derivative of a function of model, times and states, by central differences.

            d/dp F(p, t(p), y) + F_y s

        with s = dy/dp, and `later` = dt/dp besides that of the clock. The increment of y is small
        where s is large.
        """
        up, down = (
            evaluate(member, own_times(clock, t + increment * later), y)
            for member, clock, increment in zip(self.members, clocks, self.increments)
        )
        found = self.difference(up, down)
        units = Scales.of(nominal.assembly.compiled).units
        size = float((np.abs(s) / units).max(initial=0.0))
        if size > 0.0:
            e = INCREMENT_OF_STATES / size
            found = found + (evaluate(nominal, t, y + e * s) - evaluate(nominal, t, y - e * s)) / (
                2.0 * e
            )
        return found

    def difference(self, up: np.ndarray, down: np.ndarray) -> np.ndarray:
        """The derivative with respect to the parameter, from values of the companions."""
        a, b = np.asarray(up, float), np.asarray(down, float)
        return np.subtract(a, b, out=np.zeros(np.shape(a)), where=a != b) / self.width

    def slopes(self) -> Tables:
        """The derivatives of all floats of the tables."""
        up, down = (member.assembly.compiled.tables for member in self.members)
        found = {}
        for name, array in up._asdict().items():
            a, b = np.asarray(array), np.asarray(getattr(down, name))
            found[name] = np.array(a)
            if a.dtype.kind == "f":
                found[name] = self.difference(a, b)
            for part in a.dtype.names or ():
                if a[part].dtype.kind == "f":
                    found[name][part] = self.difference(a[part], b[part])
        return Tables(**found)

    def start(self, nominal: Member, units: np.ndarray) -> np.ndarray:
        """The derivative of the initial state."""
        up, down = (member.assembly.y for member in self.members)
        curved = np.abs(up + down - 2.0 * nominal.assembly.y) / units
        if curved.max(initial=0.0) > SMOOTH:
            raise ModelError(
                f"sensitivities: the initial state is not a smooth function of parameter "
                f"{self.parameter.name!r} at {self.parameter.value:g}: it jumps between "
                f"{self.parameter.value - self.parameter.increment:.9g} and "
                f"{self.parameter.value + self.parameter.increment:.9g}. Give start values that "
                "the loops of the model can keep."
            )
        return self.difference(up, down)

    def clocks(self, nominal: Member, segment: int, clocks: np.ndarray) -> None:
        """Set the two clocks of the companions to a segment of the run."""
        shared = nominal.segments[segment]
        for member, clock, increment in zip(self.members, clocks, self.increments):
            own = member.segments[segment]
            clock[INCREMENT], clock[SHARED], clock[OWN] = increment, shared.start, own.start
            clock[RATE] = (own.stops[-1] - own.start) / (shared.stops[-1] - shared.start)
            clock[END] = own.stops[-1]

    def check(self, nominal: Member) -> None:
        """Refuse companions with another structure than the nominal model."""
        for member in self.members:
            found = _different(nominal, member)
            if found:
                raise ModelError(
                    f"sensitivities: parameter {self.parameter.name!r} changes the structure of "
                    f"the model ({found}), so that outputs have no derivative. Parameters may "
                    "change numbers only, not joints, bodies or forces; with topology= the "
                    "spanning tree can be fixed."
                )


def _different(a: Member, b: Member) -> str:
    """The first difference of structure between two members, or an empty text."""
    if a.assembly.compiled.bodies != b.assembly.compiled.bodies:
        return "its bodies or their order in the spanning tree differ"
    if a.assembly.rank != b.assembly.rank:
        return f"{a.assembly.rank} or {b.assembly.rank} independent constraint equations"
    if len(a.segments) != len(b.segments):
        return "the number of times at which the equations jump differs"
    if [event.name for event in a.events] != [event.name for event in b.events]:
        return "the events differ"
    own, other = a.assembly.compiled.tables, b.assembly.compiled.tables
    name = _different_table(own, other)
    return f"the table of {name} differs" if name else ""


def _different_table(a: Tables, b: Tables) -> str:
    others = b._asdict()
    for name, array in a._asdict().items():
        if name in ADDRESSES or name in BASES:
            continue
        other = others[name]
        if array.shape != other.shape:
            return name
        plain, beside = np.asarray(array), np.asarray(other)
        for part in plain.dtype.names or (None,):
            x, y = (plain, beside) if part is None else (plain[part], beside[part])
            if part != "address" and x.dtype.kind != "f" and not np.array_equal(x, y):
                return name
    return ""
