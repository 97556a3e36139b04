"""Controllers: user code with its own states, between measured inputs and the elements that use its
outputs.

    function(t, u, x, parameters, xdot, out)

`u` are the inputs in the order named: joint coordinates ("A.angle"), their rates ("A.angle.rate"),
states of elements and controllers ("lag.level"), outputs of controllers declared before, and
measurements on bodies and their named points: "hull.seat.position.z", "hull.velocity.x",
"hull.angular_velocity.z", in world axes or in those of a body, "hull.velocity.x in hull" (a
position is then relative to the origin of the body; velocities are relative to the ground in both
cases). An input may also be a time function, such as the `kt.Input` of a set point. `x` are the
states of the controller; the function fills their rates `xdot` and the outputs `out`, both zero on
entry. Controllers run before the force elements of the same evaluation, in the
order of their declaration. A controller with a `period` is called at its samples only and fills the
next values of its states instead of their rates (sampled.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...core.checks import a_function, check, check_rows
from ...core.quantities import Reading, Reference, Seconds, UserClass
from ...errors import ModelError, short
from ...kernel.algebra.blas1 import copy
from ...kernel.algebra.spatial import angular, load6, velocity_at
from ...kernel.algebra.vec3 import column, dot, load3, sub
from ...kernel.decorators import inline, internal_kernel
from ...kernel.frames import number
from ...kernel.intrinsics import call_control
from ...kernel.tables.fault import CONTROLLER, check_all, set_fault, set_fault_element
from ...kernel.usercode.checks import check_gap
from ..constraints.user_rows import STATE as CURVE
from ..constraints.user_rows import call
from ..joints.sensors import SLIDE_X, TREE, frames_of, sensor_rate, sensor_value
from ..signals.catalogue import signal_value
from ..signals.contract import Signal, check_breakpoints, check_longest
from ..user_gaps import heed
from .contract import State
from .inputs import input_value

VALUE, RATE, STATE, OUTPUT, SPEED, SPIN, FUNCTION = range(7)


@dataclass(frozen=True)
class Controller(UserClass):
    r"""User code with inputs, states and outputs.

    Parameters
    ----------
    function : callable
        Function(t, u, x, parameters, xdot, out) that fills the rates `xdot` of its states
        (per second) and its outputs `out`. It is compiled once.
    inputs : sequence of str or time function, default ()
        Names of the measured quantities, in the order of `u`; or time functions such as `kt.Sine`,
        or a `kt.Input`, which another program sets.
    states : dict of str to float, default {}
        Initial values of the states by label, in the order of `x`.
    outputs : sequence of str, default ()
        Labels of the outputs, in the order of `out`. Elements use them as "name.label".
    parameters : sequence of float, default ()
        Numbers that are passed to the function.
    scales : dict of str to float, optional
        Typical sizes of the states by label, for the tolerances. By default 1.
    units : dict of str to str, optional
        Units of states and outputs by label, for the results. By default "1".
    breakpoints : sequence of float, default ()
        Times at which the outputs jump (s). Steps end there.
    period : float, optional
        Sampling period (s). A sampled controller is called at the times `begin` + k `period`, fills
        the next values of its states, and holds its outputs until the next sample. By default the
        controller is continuous.
    delay : float, default 0.0
        Time from a sample until its outputs act (s), at most one period.
    begin : float, default 0.0
        Time of the first sample (s).
    longest_step : float, optional
        Longest step of adaptive integrators past a continuous controller (s), a few times the
        length of its shortest pulse; `math.inf` for a smooth function. By default 1/500 of the run.
    gap : str or callable, optional
        Function(t, u, x, parameters) that is positive while a contact by this controller is open.
        It bounds the steps, so that no contact is missed. Or a channel, or function f(t, s) of a
        state as in `kt.Event`, that changes its sign where the controller switches; steps end
        there.

    See Also
    --------
    kt.UserForce : Force by user code.
    kt.Drive : Built-in speed controller.
    kt.Event : Changes at a crossing.

    Notes
    -----
    .. math::
        \dot x = f(t, u, x), \qquad y = g(t, u, x)

    The function receives the time t (s), and the inputs `u`, states `x` and `parameters` as arrays
    in the order named; `xdot` and `out` (:math:`y`) are zero on entry. An input is a joint
    coordinate ("A.angle"), its rate ("A.angle.rate"), a state of an element or controller
    ("lag.level"), an output of a controller declared before, the motion of a body or of a named
    point on it ("hull.seat.position.z", "hull.velocity.x in hull"), or a time function, in SI units. An output has the
    sign of the element that uses it: a torque of `kt.TorsionSpring` is positive in the direction of
    the coordinate.

    Examples
    --------
    A PD controller holds a hinge at 0.3 rad.

    >>> import kinetree as kt
    >>> def pd(t, u, x, parameters, xdot, out):
    ...     out[0] = parameters[0] * (0.3 - u[0]) - parameters[1] * u[1]
    >>> model = kt.Model("arm", gravity=(0, 0, 0))
    >>> rod = model.body("rod", kt.rod(mass=1.0, length=1.0, along="x"))
    >>> hinge = model.joint("A", kt.Revolute("y"), model.ground, rod.end("-"))
    >>> control = kt.Controller(
    ...     pd, inputs=["A.angle", "A.angle.rate"], outputs=["torque"], parameters=(50.0, 10.0)
    ... )
    >>> controller = model.controller("pd", control)
    >>> motor = model.force("motor", kt.TorsionSpring("A.angle", torque="pd.torque"))
    >>> sol = kt.simulate(model, until=5.0)
    >>> print(f"{sol['A.angle'][-1]:.3f} rad")
    0.300 rad
    """

    _internal = ("own_states", "samples")
    function: Callable
    inputs: Sequence[Reading] = ()
    states: dict[str, float] = field(default_factory=dict)
    outputs: Sequence[str] = ()
    parameters: Sequence[float] = ()
    scales: dict[str, float] | None = None
    units: dict[str, str] | None = None
    breakpoints: Sequence[Seconds] = ()
    period: Seconds | None = None
    delay: Seconds = 0.0
    begin: Seconds = 0.0
    longest_step: Seconds | None = None
    gap: Reference | None = None

    def __post_init__(self) -> None:
        a_function(self.function, "Controller: function", "(t, u, x, parameters, xdot, out)")
        _check_words(self.inputs, "Controller: inputs", Signal)
        _check_words(self.outputs, "Controller: outputs")
        if not isinstance(self.states, dict):
            raise ModelError(
                "Controller: states must be a dict like {'integral': 0.0}, got "
                f"{short(self.states)}."
            )
        _check_labels((*self.states, *self.outputs))
        for label, value in self.states.items():
            number(value, f"Controller: state {label!r}")
        check_rows(self, parameters=None)
        object.__setattr__(self, "breakpoints", check_breakpoints(self.breakpoints, "Controller"))
        for label, value in _about(self.scales, self.states, "scales").items():
            number(value, f"Controller: scale of {label!r}", positive=True)
        for label, unit in _about(self.units, (*self.states, *self.outputs), "units").items():
            if not isinstance(unit, str):
                raise ModelError(f"Controller: unit of {label!r} must be text, got {short(unit)}.")
        check_longest(self)
        check_gap(self.gap, "Controller")
        self._check_sampling()

    def _check_sampling(self) -> None:
        check(self, "delay", at_least_zero=True)
        check(self, "begin")
        if self.period is None:
            if self.delay or self.begin:
                raise ModelError(
                    "Controller: delay and begin are of a sampled controller; give its period."
                )
            return
        check(self, "period", positive=True)
        if self.delay > self.period:
            raise ModelError(
                f"Controller: delay {self.delay:g} s is longer than the period of {self.period:g} "
                "s; at most one "
                "sample waits. Keep older ones in states."
            )

    def own_states(self) -> tuple[State, ...]:
        """Return its states; those of a sampled one include held outputs and the number of the
        next sample.
        """
        scales, units = self.scales or {}, self.units or {}
        own = [
            State(label, float(value), float(scales.get(label, 1.0)), units.get(label, "1"))
            for label, value in self.states.items()
        ]
        if self.period is None:
            return tuple(own)
        kept = ("held", "pending") if self.delay else ("held",)
        return (
            *own,
            *(
                State(f"{label} {how}", 0.0, 1.0, units.get(label, "1"))
                for how in kept
                for label in self.outputs
            ),
            State("samples", 0.0),
        )

    def samples(self, t0: float, until: float) -> list[float]:
        """Return the times after t0 and up to the end at which it samples, or its outputs
        begin to act.
        """
        if self.period is None:
            return []
        first, last = (math.floor((t - self.begin) / self.period) for t in (t0, until))
        taken = [self.begin + k * self.period for k in range(max(first - 1, 0), last + 1)]
        return [t for t in sorted({*taken, *(t + self.delay for t in taken)}) if t0 < t <= until]


def _check_words(words, what: str, *others: type) -> None:
    if not isinstance(words, (tuple, list)) or not all(
        isinstance(w, (str, *others)) for w in words
    ):
        functions = " or time functions such as kt.Input" if others else ""
        raise ModelError(
            f"{what} must be several names such as ('A.angle',){functions}, got {short(words)}."
        )


def _check_labels(labels: tuple) -> None:
    if not labels:
        raise ModelError("Controller: give at least one state or output; this one does nothing.")
    for label in labels:
        if (
            not isinstance(label, str)
            or not label.strip()
            or label != label.strip()
            or "." in label
            or not label.isprintable()
        ):
            raise ModelError(
                f"Controller: a state or output is named by text without dots, got {short(label)}."
            )
        if labels.count(label) > 1:
            raise ModelError(f"Controller: {label!r} names more than one state or output.")


def _about(given, labels, what: str) -> dict:
    """Check a dict whose keys are some of the labels."""
    if given is not None and not isinstance(given, dict):
        raise ModelError(f"Controller: {what} must be a dict by label, got {short(given)}.")
    for label in given or {}:
        if label not in labels:
            raise ModelError(
                f"Controller: {what} of {label!r}, which is not one of "
                f"{', '.join(map(str, labels)) or 'none'}."
            )
    return given or {}


@inline
def measured(tables, work, source, t, q, v, x):
    """Value of one input of a controller."""
    if source.kind == STATE:
        return x[source.index]
    if source.kind == OUTPUT:
        return work.outputs[source.index]
    if source.kind == FUNCTION:
        return input_value(tables, work, t, source.index)
    sensor = tables.sensors[source.index]
    if source.kind == RATE:
        return sensor_rate(tables, sensor, v, work.bodies)
    return (
        sensor_value(tables, sensor, q, x, work.bodies)
        if source.kind == VALUE
        else moving(sensor, source.kind == SPIN, work.bodies)
    )


@inline
def moving(sensor, spin, bodies):
    """Velocity of the origin of M, or angular velocity of its body, along the axis of F of the
    sensor.
    """
    R_WF, _, _, p_WM = frames_of(sensor, bodies)
    body = bodies[sensor.j]
    V = load6(body.V)
    return dot(
        column(R_WF, sensor.kind - SLIDE_X),
        angular(V) if spin else velocity_at(V, sub(p_WM, load3(body.O))),
    )


@internal_kernel
def run_controllers(tables, work, t, q, v, x):
    """Run all controllers in their order."""
    for k in range(tables.controllers.shape[0]):
        control(tables, work, tables.controllers[k], t, q, v, x)
        set_fault_element(work.report[0], CONTROLLER, k)


@inline
def take_inputs(tables, work, c, t, q, v, x):
    """Write the inputs at time t into `work.inputs`."""
    for k in range(c.nu):
        work.inputs[0, k] = measured(tables, work, tables.inputs[c.iu + k], t, q, v, x)


@inline
def control(tables, work, c, t, q, v, x):
    """Call the user function on copies of inputs and states, so that it writes rates and outputs
    only.

    Every rate and output must be finite, whether or not it is used. The outputs of a sampled
    controller are those held in x.
    """
    if c.period > 0.0:
        copy(x[c.ix + c.nx :], work.outputs[c.io : c.io + c.no])
        return
    u, own = work.inputs[0], work.inputs[1][: c.nx]
    take_inputs(tables, work, c, t, q, v, x)
    copy(x[c.ix :], own)
    xdot, out = work.xdot[c.ix : c.ix + c.nx], work.outputs[c.io : c.io + c.no]
    if (
        call_control(
            c.address,
            (
                t,
                u.ctypes.data,
                c.nu,
                own.ctypes.data,
                c.nx,
                tables.pool[c.first :].ctypes.data,
                c.count,
                xdot.ctypes.data,
                out.ctypes.data,
                c.no,
            ),
        )
        != 0
    ):
        set_fault(work.report[0])
    check_all(work.report[0], xdot)
    check_all(work.report[0], out)
    if c.gap >= 0:
        heed_inputs(tables, work, c, t, v, x)


@internal_kernel
def heed_inputs(tables, work, c, t, v, x):
    """Limit the step by the gap function of a controller, after its call.

    The rates of coordinates, states and time functions are known, and the accelerations of
    coordinates of the tree.
    """
    row = work.aims[c.gap]
    row[0] = t
    for k in range(c.nu):
        source, rate, half = tables.inputs[c.iu + k], 0.0, 0.0
        if source.kind == VALUE:
            sensor = tables.sensors[source.index]
            rate = sensor_rate(tables, sensor, v, work.bodies)
            half = 0.5 * work.vdot[sensor.iv] if sensor.kind == TREE else 0.0
        elif source.kind == RATE and tables.sensors[source.index].kind == TREE:
            rate = work.vdot[tables.sensors[source.index].iv]
        elif source.kind == STATE:
            rate = work.xdot[source.index]
        elif source.kind == FUNCTION:
            signal = tables.signals[source.index]
            f = signal_value(tables.signal_kernels[signal.kind], signal, tables.pool, t)
            rate, half = f[1], 0.5 * f[2]
        put_input(row, k, work.inputs[0, k], rate, half)
    for k in range(c.nx):
        put_input(row, c.nu + k, x[c.ix + k], work.xdot[c.ix + k], 0.0)
    call(tables, c.gap, work.aims, 1.0, c.nu + c.nx, c.nu, c.nx)
    heed(tables, work, row[CURVE + 3 * (c.nu + c.nx) :])


@inline
def put_input(row, k, value, rate, half):
    at = CURVE + 3 * k
    row[at], row[at + 1], row[at + 2] = value, rate, half
