"""A model that is advanced step by step from Python, with inputs that may change between steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..core.checks import row
from ..core.display import Printable
from ..description.lowering.compiled import CompiledModel
from ..description.model import Model
from ..elements.signals.input import Input
from ..engine.integrators.short_runs import ShortRuns
from ..errors import ModelError, explains_arguments, no_such
from ..kernel.frames import number
from ..results import channels
from .events.batch import Batch
from .plan import Plan
from .prepared import prepare
from .states import State, StateLike
from .stepper import PreparedLoop, can_step, with_own_signals


@explains_arguments
class Stepper(Printable):
    """A model that is advanced step by step, for loops in Python such as those of a controller.

    Parameters
    ----------
    model : Model
        The model. Its inputs are the `kt.Input` functions of its forces and drives.
    outputs : sequence of str, default ()
        Channels that `step` returns, such as "A.angle" and "A.angle.rate". Coordinates and their
        rates are the fastest.
    **options
        Arguments of `prepare`, such as ``integrator="rk4", step=1e-3`` or ``rtol=1e-6``.

    Raises
    ------
    ModelError
        If the model, an output or an option is wrong.

    See Also
    --------
    prepare : Runs with other initial states and end times.
    kt.Controller : Code that runs inside the steps; fast, and sampled if wanted.
    kt.Input : Input of a model.

    Notes
    -----
    The integrator starts anew in every step, so that inputs may jump between steps. Within a step an
    input is constant, or a straight line that `ramp` sets. A call costs about 0.04 ms besides the
    integration; models with user code, events or rigid contacts take some milliseconds per call.

    Examples
    --------
    A hinge that is held by a torque which Python computes every 10 ms.

    >>> import kinetree as kt
    >>> model = kt.Model("arm", gravity=(0, 0, 0))
    >>> rod = model.body("rod", kt.rod(mass=1.0, length=1.0, along="x"))
    >>> hinge = model.joint("A", kt.Revolute("y"), model.ground, rod.end("-"))
    >>> motor = model.force("motor", kt.TorsionSpring("A.angle", torque=kt.Input("torque")))
    >>> stepper = kt.Stepper(model, outputs=("A.angle", "A.angle.rate"))
    >>> angle, rate = stepper.outputs()
    >>> for k in range(300):
    ...     angle, rate = stepper.step(0.01, torque=20.0 * (0.3 - angle) - 5.0 * rate)
    >>> print(f"t = {stepper.t:.1f} s, angle {angle:.3f} rad")
    t = 3.0 s, angle 0.300 rad
    """

    def __init__(self, model: Model, outputs: Sequence[str] = (), **options: Any) -> None:
        self._prepared = prepare(model, **options)
        plan, self._own = _with_inputs(self._prepared._plan)
        self._prepared._plan = self._plan = plan
        self._loop = PreparedLoop(plan, settable=True) if can_step(plan) else None
        arrays = [self._own, None if self._loop is None else self._loop.signals]
        self.inputs = Inputs(plan.assembly.compiled, [a for a in arrays if a is not None])
        self._length = 0.0
        self._short: ShortRuns | None = None
        self.names = tuple(row(outputs, "Stepper: outputs", "names of channels"))
        self.reset()
        self._read = [self._reader(name) for name in self.names]

    @property
    def model(self) -> Model:
        """The model at the time of the call."""
        return self._prepared.model

    @property
    def t(self) -> float:
        """Time (s)."""
        return self._t

    @property
    def state(self) -> State:
        """The present state, for `reset`, `simulate` and the analyses."""
        return self._prepared._state(self._t, self._y.copy())

    def reset(self, start: StateLike | np.ndarray = None, t0: float | None = None) -> np.ndarray:
        """Return to an initial state, with all inputs at their start values.

        Parameters
        ----------
        start : State, ndarray, dict or other state, optional
            Initial state as in `Prepared.run`; by default the assembled one.
        t0 : float, optional
            Start time (s); by default that of `start`.

        Returns
        -------
        ndarray
            The outputs.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> stepper = kt.Stepper(pendulum(), outputs=["hinge.angle"])
        >>> print(stepper.reset({"hinge.angle": 0.2}))
        [0.2]
        """
        self.inputs.restore()
        if start is None and t0 is None:
            assembly = self._plan.assembly
            self._t, self._y = assembly.t, assembly.y.copy()
        else:
            self._t, y = self._prepared._begin(start, t0)
            self._y = np.array(y)
        return self.outputs() if hasattr(self, "_read") else np.zeros(0)

    def step(
        self, dt: float, inputs: Mapping[str, float] | None = None, /, **named: float
    ) -> np.ndarray:
        """Set inputs, advance by a time, and return the outputs.

        Parameters
        ----------
        dt : float
            Length of the step (s).
        inputs : dict of str to float, optional
            Values of inputs by name, held until they are set again.
        **named : float
            The same, for names without spaces.

        Returns
        -------
        ndarray
            The outputs at the end of the step.

        Raises
        ------
        SimulationError
            If the integration cannot continue. The state is then that before the step.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> stepper = kt.Stepper(pendulum(), outputs=["hinge.angle"])
        >>> print(stepper.step(0.1).shape)
        (1,)
        """
        for given in (inputs, named):
            for name, value in (given or {}).items():
                self.inputs[name] = value
        self._advance(number(dt, "step: dt", positive=True))
        return self.outputs()

    def ramp(self, **lines: tuple[float, float]) -> None:
        """Let inputs follow straight lines from the present time on.

        Parameters
        ----------
        **lines : tuple of two floats
            Value now and rate (per second) of an input.

        Examples
        --------
        >>> import kinetree as kt
        >>> model = kt.Model("cart", gravity=(0, 0, 0))
        >>> cart = model.body("cart", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
        >>> rail = model.joint("rail", kt.Translational("x"), model.ground, cart)
        >>> law = kt.TorsionSpring("rail.displacement", torque=kt.Input("push"))
        >>> motor = model.force("motor", law)
        >>> stepper = kt.Stepper(model, outputs=["rail.displacement.rate"])
        >>> stepper.ramp(push=(0.0, 4.0))
        >>> print(f"{stepper.step(1.0)[0]:.6f} m/s")
        1.000000 m/s
        """
        for name, (value, slope) in lines.items():
            self.inputs.line(name, value, slope, self._t)

    def outputs(self) -> np.ndarray:
        """Return the outputs at the present state.

        Returns
        -------
        ndarray
            One value per name in `names`.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> kt.Stepper(pendulum(), outputs=["hinge.angle.rate"]).outputs().tolist()
        [0.0]
        """
        return np.array([read(self._y) for read in self._read])

    def __getitem__(self, name: str) -> Any:
        """Value of any channel at the present state."""
        found = self._sampled().values(name)[0]
        return float(found) if found.ndim == 0 else found

    def __str__(self) -> str:
        names = ", ".join(map(repr, self.inputs)) or "none"
        return f"Stepper of {self.model.name!r} at t = {self._t:g} s; inputs: {names}."

    def _short_runs(self, dt: float) -> ShortRuns | None:
        """Runs of the present length; the last one is kept."""
        if self._loop is not None and dt != self._length:
            self._length, self._short = dt, self._loop.short_runs(dt)
        return self._short

    def _advance(self, dt: float) -> None:
        until = self._t + dt
        quick = self._short_runs(dt) if self._loop is not None else None
        if quick is not None and self._loop is not None:
            found_y = quick.run(self._t, self._loop.own(self._y), until)
            if found_y is not None:
                self._t, self._y = until, self._loop.whole(found_y)
                return
        if self._loop is not None:
            result = self._loop.run(self._t, self._y, until, {})
            if result.interrupted:
                raise result.stop or KeyboardInterrupt
            if result.done:
                self._t, self._y = result.t, result.y
                return
        found = self._prepared._last_state(until, self.state, None, {})  # or raises the reason
        self._t, self._y = found.t, np.concatenate([found.q, found.v, found.x])

    def _reader(self, name: str) -> Callable[[np.ndarray], float]:
        """A function of the state that returns a channel."""
        known = isinstance(name, str)
        at = place_in_state(self._plan.assembly.compiled, name) if known else None
        if at is not None:
            return lambda y: float(y[at])
        found, component = channels.find(self._channels.solution.channels, name, self.model.name)
        if found.components and component is None:
            parts = ", ".join(f"{name}.{k}" for k in found.components)
            raise ModelError(f"Stepper: output {name!r} is a vector; take a component: {parts}.")
        if found.at_steps:
            raise ModelError(f"Stepper: output {name!r} does not follow from the state alone.")
        return lambda y: float(self[name])

    def _sampled(self) -> Batch:
        """All channels at the present state."""
        return self._channels.set_states(np.array([self._t]), self._y[None])

    @cached_property
    def _channels(self) -> Batch:
        """All channels, at a state that is set."""
        plan = self._plan
        return Batch(plan.assembly, plan.method, plan.options(plan.assembly.t + 1.0).to_dict())


class Inputs(Mapping[str, float]):
    """The inputs of a model by name: set them like the entries of a dict."""

    def __init__(self, compiled: CompiledModel, arrays: list[np.ndarray]) -> None:
        self._arrays, self._name = arrays, compiled.model.name
        self._rows: dict[str, list[int]] = {}
        self._start: dict[str, float] = {}
        for k, signal in enumerate(compiled.signals):
            if isinstance(signal, Input):
                self._rows.setdefault(signal.name, []).append(k)
                self._start[signal.name] = signal.start
        self._values = dict(self._start)

    def __getitem__(self, name: str) -> float:
        if name not in self._values:
            raise no_such("input", name, self._values, f" in model {self._name!r}")
        return self._values[name]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __setitem__(self, name: str, value: float) -> None:
        self.line(name, value, 0.0, 0.0)

    def line(self, name: str, value: float, slope: float, since: float) -> None:
        """Set a straight line: value + slope (t - since)."""
        if name not in self._values:
            raise no_such("input", name, self._values, f" in model {self._name!r}")
        value, slope = number(value, f"input {name!r}"), number(slope, f"slope of input {name!r}")
        self._values[name] = value
        for signals in self._arrays:
            for k in self._rows[name]:
                signals["a"][k], signals["b"][k], signals["begin"][k] = value, slope, since

    def restore(self) -> None:
        """Set all inputs to their start values."""
        for name, value in self._start.items():
            self[name] = value


def place_in_state(compiled: CompiledModel, name: str) -> int | None:
    """Index of a channel in the state, if it is a coordinate of the tree, its rate, or a state."""
    nq, nv = compiled.size["nq"], compiled.size["nv"]
    if name in compiled.states:
        return nq + nv + compiled.states[name].ix
    base, _, tail = name.rpartition(".")
    rate = tail == "rate"
    joint, _, label = (base if rate else name).rpartition(".")
    place = compiled.joints.get(joint)
    if place is None or place.direct is None or label not in place.spec.joint.scalars:
        return None
    k = place.direct[place.spec.joint.labels.index(label)]
    link = compiled.tables.links[place.link]
    return nq + int(link["iv"]) + k if rate else int(link["iq"]) + k


def _with_inputs(plan: Plan) -> tuple[Plan, np.ndarray]:
    assembly, signals = with_own_signals(plan.assembly)
    return replace(plan, assembly=assembly), signals
