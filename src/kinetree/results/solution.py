"""The result of a run: states and accelerations at the samples; all else is computed on demand."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..assembly.result import Assembly
from ..core.checks import flag
from ..core.display import Printable
from ..description.lowering.compiled import CompiledModel
from ..description.model import Model
from ..engine.formulations.contract import Formulation
from ..engine.integrators.result import Result
from ..engine.integrators.segments import evaluation_times
from ..errors import ResultError, SimulationError, no_such
from ..kernel.linalg import norm
from . import channels, resample
from . import summary as story
from .beams import BeamMotion, beams_of_run
from .channels import Channel
from .completion import Solved
from .energy import EnergyLedger, Momentum
from .event_record import Events
from .extremes import Extreme, extreme
from .flexible import FlexibleMotion, flexible_of_run
from .measured import JointMotion
from .observe import Observed
from .output import SolutionOutput
from .reactions import Reactions
from .relative_motion import RelativeMotion, between
from .run_data import RunData, with_data
from .sources import catalogue
from .steps import ConstraintError, Steps, Switch
from .storage.archive import to_bytes
from .storage.provenance import provenance
from .stress import Stress

_FROM_STATES = ("_accelerated", "record", "energy", "momentum", "reactions")
_LONG = 100_000  # samples above which joint motions are not cached


@dataclass(repr=False, eq=False)
class Solution(SolutionOutput, Printable):
    """The result of a run; ``sol["crank.position.z"]`` is a time history, ``print(sol)`` a summary.

    Returned by `simulate`, `kinematics` and `open_solution`.

    Attributes
    ----------
    t : ndarray, shape (nt,)
        Times of the samples (s).
    y : ndarray, shape (nt, n)
        States (q, v, x) at the samples.
    success : bool
        Whether the run reached its end with finite samples that satisfy the constraints.
    message : str
        How the run ended, in one sentence.
    energy : EnergyLedger
        Kinetic and potential energy (J), work of each element, and the error of the balance:
        ``sol.energy.drift``, ``sol.energy.by_source``.
    momentum : Momentum
        Linear (kg m/s) and angular momentum (kg m^2/s) about the world origin.
    reactions : Reactions
        Forces (N) and torques (N m) of the joints by name: ``sol.reactions["A"].force``.
    constraint_error : ConstraintError
        Largest constraint violation after each step: positions (m) and velocities (m/s).
    beams : dict of str to BeamMotion
        Lines, strains and section forces of the beams: ``sol.beams["arm"].curvature``.
    events : Events
        Occurrences of each event by its name: ``sol.events["floor"].t``.
    steps : Steps
        The accepted steps: time, length, order, error and counts of each.
    statistics : dict of str to number or str
        Counts of the run by name: steps, evaluations, factorizations, sizes.
    options : dict
        All options of the run by name.
    assembly : Assembly
        The initial state.
    model : Model
        The model.
    wall : float
        Wall-clock time of the run (s).
    data : RunData
        The stored arrays of the run, for the package itself.
    source : Solution or None
        The run, if this solution has other sample times.
    watched : tuple or None
        The event functions of the run; not stored in files.

    Notes
    -----
    A channel is named "<part>.<quantity>": "A.angle", "A.rate", "crank.position", "crank.position.z",
    "strut.force", "energy.kinetic". `Solution.names` lists all of them with their units. Vectors are
    in world axes; "tip.velocity.x in hull" is in the axes of the body "hull".

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> sol = kt.simulate(four_bar(), 0.2)
    >>> sol["rocker.position"].shape
    (501, 3)
    >>> sol.unit("A.angle")
    'rad'
    """

    data: RunData
    source: Solution | None = None  # the run itself, for a solution at other times
    # the events of the run; not in files
    watched: tuple | None = field(default=None, init=False)
    _motions: dict[str, JointMotion] = field(default_factory=dict, init=False)

    def __reduce__(self):
        """Pickle with the model; without it if it has local functions, which cannot be pickled."""
        if self.source is not None:
            return resample.at, (self.source, self.t)
        if self.data.file is not None or can_be_pickled(self.model):
            return Solution, (self.data,)
        from ..simulation.reopen import solution_of_bytes

        return solution_of_bytes, (to_bytes(self, None),)

    def __deepcopy__(self, memo) -> Solution:
        return Solution(copy.deepcopy(self.data, memo), copy.deepcopy(self.source, memo))

    @cached_property
    def run(self) -> Solution:
        """The run in memory: its channels are computed, also those that its file does not have."""
        return self if self.data.file is None else with_data(self)

    @property
    def assembly(self) -> Assembly:
        """The initial state."""
        return self.data.assembly

    @property
    def method(self) -> Formulation:
        """The formulation."""
        return self.data.method

    @property
    def options(self) -> dict[str, Any]:
        """All options of the run by name."""
        return self.data.options

    @property
    def result(self) -> Result:
        """The result of the integration."""
        return self.data.result

    @property
    def t(self) -> np.ndarray:
        """Times of the samples (s), shape (nt,)."""
        return self.data.t

    @property
    def y(self) -> np.ndarray:
        """States (q, v, x) at the samples, shape (nt, n)."""
        return self.data.y

    @property
    def solved(self) -> Solved:
        """Accelerations and multipliers at the samples, if they are stored."""
        return self.data.solved

    @property
    def wall(self) -> float:
        """Wall-clock time of the run (s)."""
        return self.data.wall

    @property
    def ledger(self) -> np.ndarray | None:
        """Work of each force element and of the drivers (J), shape (nt, nf + 1)."""
        return self.data.ledger

    @property
    def breaks(self) -> tuple[float, ...]:
        """Times (s) at which the equations or velocities jump."""
        return self.data.breaks

    @property
    def complete(self) -> bool:
        """Whether the run has ended; False for the file of a run that goes on or was killed."""
        return self.data.file is None or self.data.file.complete

    @property
    def provenance(self) -> dict[str, Any]:
        """Model, options and versions, as they are stored in files."""
        file = self.data.file
        return provenance(self) if file is None else file.attributes

    @property
    def success(self) -> bool:
        """Whether the run reached its end with finite samples that satisfy the constraints."""
        if self.data.file is not None:
            return bool(self.data.file.told["success"])
        try:
            y, lost = self.y, len(self.solved.lost)
        except SimulationError:  # of the samples, which are completed here
            return False
        finite = np.isfinite([y.min(initial=0.0), y.max(initial=0.0)]).all()
        return bool(self.result.done and len(self.t) and not lost and finite and self.closed)

    @property
    def closed(self) -> bool:
        """Whether every accepted step satisfies the constraints within the limit of the method."""
        return bool(self.constraint_error.max() <= story.allowed_gap(self))

    @property
    def interrupted(self) -> bool:
        """Whether the run was interrupted by the user."""
        return self.result.interrupted

    @property
    def incomplete(self) -> np.ndarray:
        """Sample times (s) without accelerations, reactions and loads, because user code failed."""
        return self.t[self.solved.lost]

    @property
    def status(self) -> str:
        """One word: "done", "interrupted", or the cause of an early end."""
        return "interrupted" if self.interrupted else self.result.status.name.lower()

    @property
    def message(self) -> str:
        """How the run ended, in one sentence."""
        file = self.data.file
        return story.message(self) if file is None else file.texts["message"]

    @cached_property
    def statistics(self) -> dict[str, float | int | str]:
        """Counts of the run by name: steps, evaluations, factorizations, sizes."""
        file = self.data.file
        return story.statistics(self) if file is None else file.statistics

    @cached_property
    def steps(self) -> Steps:
        """The accepted steps: time, length, order, error and counts of each."""
        return Steps.from_log(self.result.log, self.result.method)

    @property
    def switches(self) -> list[Switch]:
        """Changes between Adams and BDF by the integrator "switching"."""
        return self.steps.switches

    @cached_property
    def constraint_error(self) -> ConstraintError:
        """Largest constraint violation after each step: positions (m) and velocities (m/s)."""
        log = self.result.log
        return ConstraintError(
            np.array(log["t"]), np.array(log["position_error"]), np.array(log["velocity_error"])
        )

    # --- results

    @property
    def compiled(self) -> CompiledModel:
        """The compiled model."""
        return self.assembly.compiled

    @property
    def model(self) -> Model:
        """The model."""
        return self.data.model

    @property
    def q(self) -> np.ndarray:
        """Generalized coordinates (rad, m, or unit quaternions), shape (nt, nq)."""
        return self.compiled.split(self.y)[0]

    @property
    def v(self) -> np.ndarray:
        """Generalized velocities (rad/s, m/s), shape (nt, nv)."""
        return self.compiled.split(self.y)[1]

    @property
    def x(self) -> np.ndarray:
        """States of elements and controllers, shape (nt, nx)."""
        return self.compiled.split(self.y)[2]

    @property
    def vdot(self) -> np.ndarray:
        """Generalized accelerations (rad/s^2, m/s^2), shape (nt, nv)."""
        return self._accelerated[0]

    @property
    def lam(self) -> np.ndarray:
        """Lagrange multipliers (N, N m), shape (nt, ng); zero for redundant rows."""
        return self._accelerated[1]

    @cached_property
    def _accelerated(self) -> tuple[np.ndarray, np.ndarray]:
        """vdot and lam, computed again if they were not stored."""
        vdot, lam, _ = self.solved
        return self.record.solved_again() if vdot is None or lam is None else (vdot, lam)

    @cached_property
    def record(self) -> Observed:
        """Motion of all bodies and derived quantities, computed on demand."""
        data = self.data
        return Observed(self.compiled, data.method, self.seen, data.y, data.solved, data.scratch)

    @property
    def seen(self) -> np.ndarray:
        """Times (s) at which the samples are evaluated: `t`, or just after a breakpoint at it."""
        return evaluation_times(self.t, self.breaks, self.options["until"])

    @cached_property
    def energy(self) -> EnergyLedger:
        """Kinetic and potential energy (J), work of each element, and the energy balance."""
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
        """Linear (kg m/s) and angular momentum (kg m^2/s) about the world origin."""
        if self.model.generated is not None and self.model.generated.flexible:
            raise ResultError(
                f"{self.model.name!r} has generated equations with modes: its momentum cannot be "
                "computed from its bodies."
            )
        return Momentum(self.record.momentum[:, 3:], self.record.momentum[:, :3])

    @cached_property
    def reactions(self) -> Reactions:
        """Reactions of the joints by name: ``sol.reactions["A"].force``."""
        return Reactions(self.assembly, self.record, self.t, self.y)

    @cached_property
    def events(self) -> Events:
        """Occurrences of each event by its name: ``sol.events["floor"].t``."""
        return Events.of(self)

    def violation(self, level: str) -> np.ndarray:
        """Return the largest constraint residual at each sample.

        Parameters
        ----------
        level : {"g", "gdot"}
            Positions (m) or velocities (m/s).

        Returns
        -------
        ndarray, shape (nt,)
            The residuals; angles are multiplied by the size of the model.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> bool(kt.simulate(four_bar(), 0.2).violation("g").max() < 1e-9)
        True
        """
        if not isinstance(level, str) or level not in ("g", "gdot"):
            raise no_such("level", level, ("g", "gdot"), " of constraint violations")
        tables = self.compiled.tables
        scale = np.where(tables.row_scale > 0.0, 1.0, float(tables.settings[0]["length"]))
        return np.abs(getattr(self.record, level) * scale).max(axis=1, initial=0.0)

    @cached_property
    def beams(self) -> dict[str, BeamMotion]:
        """Lines, strains and section forces of the beams: ``sol.beams["arm"].curvature``."""
        return beams_of_run(self)

    @cached_property
    def flexible(self) -> dict[str, FlexibleMotion]:
        """Modal coordinates, displacements and stresses of the flexible bodies, by name."""
        return flexible_of_run(self)

    def stress(self, name: str) -> Stress:
        """Return the stresses of a flexible body at the nodes of its surface.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        Stress
            Von Mises and principal stresses, components, and the peak with its node and time.

        Raises
        ------
        NameNotFound
            If there is no such flexible body.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.flexible_crank import flexible_crank
        >>> stress = kt.simulate(flexible_crank(), until=0.001).stress("rod")
        >>> stress.mises.shape == (501, len(stress.nodes))
        True
        """
        if not isinstance(name, str) or name not in self.flexible:
            raise no_such("flexible body", name, self.flexible, f" in model {self.model.name!r}")
        return self.flexible[name].stress

    def joint_motion(self, name: str) -> JointMotion:
        """Return the coordinates, rates and accelerations of a joint.

        Parameters
        ----------
        name : str
            Name of the joint.

        Returns
        -------
        JointMotion
            Its methods `coordinate`, `rate` and `acceleration` return time histories by label.

        Raises
        ------
        NameNotFound
            If there is no such joint.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> kt.simulate(four_bar(), 0.2).joint_motion("A").rate("angle").shape
        (501,)
        """
        if not isinstance(name, str) or name not in self.compiled.joints:
            raise no_such("joint", name, self.compiled.joints, f" in model {self.model.name!r}")
        if name not in self._motions:
            motion = JointMotion(self, self.compiled.joints[name])
            if len(self.t) > _LONG:
                return motion
            self._motions[name] = motion
        return self._motions[name]

    # --- channels

    @cached_property
    def channels(self) -> Mapping[str, Channel]:
        """All channels by name, with unit and description."""
        stored = {} if self.data.file is None else self.data.file.channels
        if any(not channel.at_steps for channel in stored.values()):
            return stored
        return catalogue(self)

    def __getitem__(self, name: str) -> np.ndarray:
        """Return a time history by name, shape (nt,) or (nt, 3); `names` lists all channels."""
        return channels.values(*channels.find(self.channels, name, self._name))

    @property
    def _name(self) -> str:
        """Name of the model, which files have without the model too."""
        file = self.data.file
        return self.model.name if file is None else str(file.attributes["model"])

    def __contains__(self, name: object) -> bool:
        return channels.known(self.channels, name) is not None

    def unit(self, name: str) -> str:
        """Return the unit of a channel.

        Parameters
        ----------
        name : str
            Name of the channel.

        Returns
        -------
        str
            Its unit, such as "rad/s".

        Raises
        ------
        NameNotFound
            If there is no such channel.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> kt.simulate(four_bar(), 0.2).unit("A.rate")
        'rad/s'
        """
        return channels.find(self.channels, name, self._name)[0].unit

    def names(self, components: bool = False) -> dict[str, str]:
        """Return the names of all channels with their units.

        Parameters
        ----------
        components : bool, default False
            Whether to list the components of vectors too.

        Returns
        -------
        dict of str to str
            Unit of each channel by name.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> sol = kt.simulate(four_bar(), 0.2)
        >>> sol.names()["rocker.position"]
        'm'
        >>> "rocker.position.z" in sol.names(components=True)
        True
        """
        if flag(components, "names: components"):
            return channels.expanded(self.channels)
        return {name: c.unit for name, c in self.channels.items()}

    def between(self, first: str, second: str) -> RelativeMotion:
        """Return the motion of one point relative to another.

        Parameters
        ----------
        first, second : str
            Names of bodies or points: "ground", "crank", "crank.end+", "hull.seat".

        Returns
        -------
        Between
            Displacement (m), distance (m), velocity (m/s) and rate of the distance (m/s) from the first
            point to the second, in world axes.

        Raises
        ------
        NameNotFound
            If there is no such body or point.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> motion = kt.simulate(four_bar(), 0.2).between("ground", "rocker")
        >>> motion.distance.shape
        (501,)
        """
        return between(self, first, second)

    def at(self, times: float | Sequence[float]) -> Solution:
        """Return the same run at other times, interpolated and projected onto the constraints.

        Parameters
        ----------
        times : float or array_like
            Times (s) inside the run. At one time the result can be the initial state of another run:
            ``state=sol.at(2.0)``.

        Returns
        -------
        Solution
            The run at these times, with all channels.

        Raises
        ------
        ModelError
            If a time is outside the run.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> sol = kt.simulate(four_bar(), 0.2)
        >>> sol.at([0.05, 0.1]).t.tolist()
        [0.05, 0.1]
        >>> kt.simulate(four_bar(), 0.3, state=sol.at(0.1)).t[0].item()
        0.1
        """
        return resample.at(self, times)

    @cached_property
    def dense(self) -> Solution | None:
        """The same run with four samples per step; None if it cannot be repeated exactly."""
        from ..simulation.repeat import repeated

        return repeated(self)

    def max(self, name: str) -> Extreme:
        """Return the largest value of a channel over the steps, with its time.

        Parameters
        ----------
        name : str
            Name of the channel; for a vector such as "rod.velocity" its magnitude is used.

        Returns
        -------
        Extreme
            `value`, `t` (s) and `over`: "steps", or "samples" if the run cannot be repeated because its
            file has no model or its events are gone.

        Notes
        -----
        The run is repeated once with samples inside its steps, and peaks are refined between them.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> sol = kt.simulate(four_bar(), 0.2)
        >>> bool(sol.max("rocker.velocity").value >= sol["rocker.velocity.x"].max())
        True
        """
        return extreme(self, name, 1.0)

    def min(self, name: str) -> Extreme:
        """Return the smallest value of a channel over the steps, with its time.

        Parameters
        ----------
        name : str
            Name of the channel; for a vector its magnitude is used.

        Returns
        -------
        Extreme
            `value`, `t` (s) and `over`, as for `Solution.max`.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> sol = kt.simulate(four_bar(), 0.2)
        >>> sol.min("A.angle").value <= sol.max("A.angle").value
        True
        """
        return extreme(self, name, -1.0)

    def summary(self) -> str:
        """Return a summary of the run in a few lines, as ``print`` shows it.

        Returns
        -------
        str
            How the run ended, its cost, and the errors of constraints and energy.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.four_bar import four_bar
        >>> "four-bar" in kt.simulate(four_bar(), 0.2).summary()
        True
        """
        file = self.data.file
        return story.summary(self) if file is None else file.texts["story"]

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        end = f"{self.message}, {len(self.t)} samples"
        if (file := self.data.file) is not None:
            state = "" if file.complete else ", not finished"
            return f"<solution in {file.source}: {end}{state}>"
        return f"<solution of {self.model.name!r}: {end}, {self.result.accepted} steps>"


def can_be_pickled(model: Model) -> bool:
    """Whether the model can be pickled: local functions and lambdas cannot."""
    try:
        pickle.dumps(model)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False
    return True


def clear_cache(sol: Solution) -> None:
    """Discard the quantities that were computed from the states, after these were replaced."""
    sol._motions.clear()
    for name in _FROM_STATES:
        vars(sol).pop(name, None)
