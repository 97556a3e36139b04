"""The result of a run: states and accelerations at the samples, everything else by name and on
demand.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np

from ..assembly.result import Assembly
from ..core.checks import flag
from ..core.display import Printable
from ..description.lowering.compiled import CompiledModel
from ..description.model import Model
from ..engine.formulations.contract import Formulation
from ..engine.integrators.result import Result
from ..engine.integrators.segments import evaluation_times
from ..errors import ResultError, no_such
from ..kernel.linalg import norm
from . import channels, resample
from . import summary as story
from .beams import BeamMotion, beams_of_run
from .channels import Channel
from .completion import Solved
from .energy import EnergyLedger, Momentum
from .event_record import Events
from .extremes import Extreme, extreme
from .measured import JointMotion
from .observe import Observed
from .output import SolutionOutput
from .reactions import Reactions
from .relative_motion import RelativeMotion, between
from .sources import catalogue
from .steps import ConstraintError, Steps, Switch
from .storage.archive import to_bytes

_LONG = 100_000  # samples of a run whose joints are measured whenever they are asked for


@dataclass(repr=False)
class Solution(SolutionOutput, Printable):
    """What a run has found, finished or not; `sol["crank.position.z"]` is a time history,
    `print(sol)` the story.
    """

    assembly: Assembly
    method: Formulation
    options: dict
    result: Result
    t: np.ndarray  # (nt,) sample times
    y: np.ndarray  # (nt, n) states (q, v, x)
    solved: Solved  # accelerations and multipliers, as far as they are kept
    wall: float  # seconds
    ledger: np.ndarray | None = (
        None  # (nt, nf + 1) work of each force element and of the drivers since the start, J
    )
    breaks: tuple[float, ...] = ()  # times at which the equations or velocities jump
    source: Solution | None = None  # of one at other times: the run itself
    watched: tuple | None = field(
        default=None, init=False
    )  # the events it was run with; not in files
    _motions: dict[str, JointMotion] = field(default_factory=dict, init=False)

    def __reduce__(self):
        """Pickled with its model; a model that cannot be pickled, because it has local functions,
        stays behind.
        """
        if self.source is not None:
            return resample.at, (self.source, self.t)
        if can_be_pickled(self.model):
            return type(self), tuple(getattr(self, one.name) for one in fields(self) if one.init)
        from ..simulation.reopen import solution_of_bytes

        return solution_of_bytes, (to_bytes(self, None),)

    def __deepcopy__(self, memo) -> Solution:
        kept = {
            one.name: copy.deepcopy(getattr(self, one.name), memo)
            for one in fields(self)
            if one.init
        }
        return type(self)(**kept)

    @property
    def success(self) -> bool:
        """The end was reached and every sample is finite and on the constraints."""
        finite = np.isfinite([self.y.min(initial=0.0), self.y.max(initial=0.0)]).all()
        return bool(
            self.result.done
            and len(self.t)
            and not len(self.solved.lost)
            and finite
            and self.closed
        )

    @property
    def closed(self) -> bool:
        """Every accepted step ended on the constraints, as nearly as the formulation can."""
        return bool(self.constraint_error.max() <= story.allowed_gap(self))

    @property
    def interrupted(self) -> bool:
        return self.result.interrupted

    @property
    def incomplete(self) -> np.ndarray:
        """Sample times whose state is known, but not the accelerations, reactions and loads: user
        code failed there.
        """
        return self.t[self.solved.lost]

    @property
    def status(self) -> str:
        """One word: done, interrupted, or the name of the cause."""
        return "interrupted" if self.interrupted else self.result.status.name.lower()

    @property
    def message(self) -> str:
        return story.message(self)

    @cached_property
    def statistics(self) -> dict[str, float | int | str]:
        return story.statistics(self)

    @cached_property
    def steps(self) -> Steps:
        return Steps.from_log(self.result.log, self.result.method)

    @property
    def switches(self) -> list[Switch]:
        """Where the integrator "switching" changed its method."""
        return self.steps.switches

    @cached_property
    def constraint_error(self) -> ConstraintError:
        log = self.result.log
        return ConstraintError(
            np.array(log["t"]), np.array(log["position_error"]), np.array(log["velocity_error"])
        )

    # --- what was found
    # -----------------------------------------------------------------------------------------

    @property
    def compiled(self) -> CompiledModel:
        return self.assembly.compiled

    @property
    def model(self) -> Model:
        return self.assembly.compiled.model

    @property
    def q(self) -> np.ndarray:
        return self.compiled.split(self.y)[0]

    @property
    def v(self) -> np.ndarray:
        return self.compiled.split(self.y)[1]

    @property
    def x(self) -> np.ndarray:
        return self.compiled.split(self.y)[2]

    @property
    def vdot(self) -> np.ndarray:
        """(nt, nv) accelerations."""
        return self._accelerated[0]

    @property
    def lam(self) -> np.ndarray:
        """(nt, ng) multipliers, zero on redundant rows."""
        return self._accelerated[1]

    @cached_property
    def _accelerated(self) -> tuple[np.ndarray, np.ndarray]:
        """Both, found again where they were not kept."""
        vdot, lam, _ = self.solved
        return self.record.solved_again() if vdot is None or lam is None else (vdot, lam)

    @cached_property
    def record(self) -> Observed:
        """Motion of all bodies and all that follows from it, computed when asked for."""
        return Observed(self.compiled, self.method, self.seen, self.y, self.solved)

    @property
    def seen(self) -> np.ndarray:
        """When the samples are looked at: the times `t`, just after a break that one falls on."""
        return evaluation_times(self.t, self.breaks, self.options["until"])

    @cached_property
    def energy(self) -> EnergyLedger:
        tables = self.compiled.tables
        settings = tables.settings[0]
        weight = float(tables.links["mass"].sum() * norm(settings["gravity"]) * settings["length"])
        return EnergyLedger.of(
            self.t,
            self.record,
            self.ledger,
            tuple(self.model.forces),
            weight,
            self.events.work(self.t),
        )

    @cached_property
    def momentum(self) -> Momentum:
        if self.model.generated is not None and self.model.generated.flexible:
            raise ResultError(
                f"{self.model.name!r} has generated equations with modes: its momentum does not "
                "follow from its "
                "bodies."
            )
        return Momentum(self.record.momentum[:, 3:], self.record.momentum[:, :3])

    @cached_property
    def reactions(self) -> Reactions:
        return Reactions(self.assembly, self.record, self.t, self.y)

    @cached_property
    def events(self) -> Events:
        """What happened, by the name of each event: `sol.events["floor"].t`; `print(sol.events)`
        tells the story.
        """
        return Events.of(self)

    def violation(self, level: str) -> np.ndarray:
        """Largest residual at each sample: "g" of positions (m), "gdot" of velocities (m/s)."""
        if not isinstance(level, str) or level not in ("g", "gdot"):
            raise no_such("level", level, ("g", "gdot"), " of constraint violations")
        tables = self.compiled.tables
        scale = np.where(tables.row_scale > 0.0, 1.0, float(tables.settings[0]["length"]))
        return np.abs(getattr(self.record, level) * scale).max(axis=1, initial=0.0)

    @cached_property
    def beams(self) -> dict[str, BeamMotion]:
        """Lines, strains, section forces of the beams, as arrays: `sol.beams["arm"].curvature`
        (samples, elements, 3).
        """
        return beams_of_run(self)

    def joint_motion(self, name: str) -> JointMotion:
        """Coordinates, rates and accelerations of a joint."""
        if not isinstance(name, str) or name not in self.compiled.joints:
            raise no_such("joint", name, self.compiled.joints, f" in model {self.model.name!r}")
        if name not in self._motions:
            motion = JointMotion(self, self.compiled.joints[name])
            if len(self.t) > _LONG:
                return motion
            self._motions[name] = motion
        return self._motions[name]

    # --- channels
    # -----------------------------------------------------------------------------------------------

    @cached_property
    def channels(self) -> Mapping[str, Channel]:
        return catalogue(self)

    def __getitem__(self, name: str) -> np.ndarray:
        """A time history by name, (nt,) or (nt, 3); see `names()`."""
        return channels.values(*channels.find(self.channels, name, self.model.name))

    def __contains__(self, name: object) -> bool:
        return channels.known(self.channels, name) is not None

    def unit(self, name: str) -> str:
        """Unit of a channel."""
        return channels.find(self.channels, name, self.model.name)[0].unit

    def names(self, components: bool = False) -> dict[str, str]:
        """All channels with their units; vectors as one, or also by components."""
        if flag(components, "names: components"):
            return channels.expanded(self.channels)
        return {name: c.unit for name, c in self.channels.items()}

    def between(self, first: str, second: str) -> RelativeMotion:
        """Motion of a body or point ("ground", "crank", "crank.end+", "hull.seat") against another."""
        return between(self, first, second)

    def at(self, times: float | Sequence[float]) -> Solution:
        """The same run at other times, between the samples, on the constraints; at one time a
        state: `state=sol.at(2.0)`.
        """
        return resample.at(self, times)

    @cached_property
    def dense(self) -> Solution | None:
        """The same run, repeated with four samples per step; None where it cannot be repeated
        exactly.
        """
        from ..simulation.repeat import repeated

        return repeated(self)

    def max(self, name: str) -> Extreme:
        """The largest value of a channel over the steps, with its time; of a vector
        ("rod.velocity") of its magnitude.

        The run is repeated, once, with samples inside its steps; peaks are refined between them.
        Where it cannot be repeated, because its file has no model or its events are gone, `over` of
        what is returned is "samples" instead of "steps".

        Returns
        -------
        Extreme
            `value`, `t` (s) and `over`.
        """
        return extreme(self, name, 1.0)

    def min(self, name: str) -> Extreme:
        """The smallest value of a channel over the steps, as `max`."""
        return extreme(self, name, -1.0)

    def summary(self) -> str:
        """The run in a few lines."""
        return story.summary(self)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return f"<solution of {self.model.name!r}: {self.message}, {len(self.t)} samples, {self.result.accepted} steps>"


def can_be_pickled(model: Model) -> bool:
    """Whether another process can have it: functions within functions and lambdas belong to one."""
    try:
        pickle.dumps(model)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False
    return True
