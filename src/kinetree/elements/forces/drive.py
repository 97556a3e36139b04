"""Speed control of a vehicle: a torque on a wheel against its carrier, proportional to the speed
error.

    T = gain (V(t) - v_x) + rate s,    s' = V(t) - v_x,    |T| <= limit
    v_x: velocity of the carrier's marker along its x axis

T drives the wheel forward about the y axis of its marker; the opposite torque acts on the carrier.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...core.checks import check, check_inputs
from ...core.quantities import DriveGain, InputInMetresPerSecond, NewtonMetres, Newtons
from ...errors import ModelError
from ...kernel.algebra.vec3 import column, dot, neg, scale
from ...kernel.decorators import inline, kernel
from ..controllers.contract import State
from ..controllers.inputs import input_value
from ..signals.contract import negated
from .contract import ZERO, Force, ends, frame, no_energy, point_motion, push

GAIN, RATE, LIMIT = range(3)


@dataclass(frozen=True)
class Drive(Force):
    r"""Speed controller of a vehicle, acting on one wheel.

    Parameters
    ----------
    speed : float, time function or str
        Desired speed of the first marker along its x axis (m/s): a number, a time function, or the
        output of a controller by name.
    gain : float
        Torque of this wheel per speed error (N m s/m).
    integral : float, default 0.0
        Torque per integral of the speed error (N). It removes the steady error and adds a state.
    limit : float, optional
        Largest torque (N m). By default the torque is not limited.

    See Also
    --------
    kt.PathFollower : Steers a vehicle along a path.
    kt.Tyre : Forces between wheel and road.

    Notes
    -----
    .. math::
        T = k\,(V - v_x) + k_I\,s, \qquad \dot s = V - v_x, \qquad |T| \le T_{max}

    :math:`V` is the desired `speed`, :math:`v_x` the speed of the first marker along its x
    axis (m/s), :math:`k` the `gain`, :math:`k_I` the `integral` gain and :math:`T_{max}` the
    `limit`. The first marker is on the carrier, the second on the wheel. T acts on the wheel about
    the y axis of the second marker (N m), and with the opposite sign on the carrier. It is positive
    where it drives the wheel forward.

    Examples
    --------
    A cart at rest that should move at 2 m/s.

    >>> import kinetree as kt
    >>> model = kt.Model("cart", gravity=(0, 0, 0))
    >>> cart = model.body("cart", kt.box(mass=100.0, sides=(1, 1, 1)))
    >>> track = model.joint("T", kt.Translational("x"), model.ground, cart)
    >>> wheel = model.body("wheel", kt.rotor(inertia=0.5, along="y", mass=5.0))
    >>> axle = model.joint("A", kt.Revolute("y"), cart.at(0, 0, -0.5), wheel)
    >>> drive = model.force("drive", kt.Drive(speed=2.0, gain=50.0), cart, wheel)
    >>> sol = kt.simulate(model, until=0.01)
    >>> print(f"{sol['drive.torque'][0]:.1f} N m")
    100.0 N m
    """

    speed: InputInMetresPerSecond
    gain: DriveGain
    integral: Newtons = 0.0
    limit: NewtonMetres | None = None

    kind = "drive"
    markers = (2, 2)
    meanings = {
        "speed": "velocity of the first marker along its x axis, positive forward",
        "torque": "drive torque T on the wheel about y of the second marker, positive forward",
        "missed": "time integral of the desired speed minus the actual one",
    }
    readings = (("speed", "m/s"), ("torque", "N m"))

    def __post_init__(self) -> None:
        check(self, "gain", "integral", at_least_zero=True)
        check(self, "limit", positive=True, optional=True)
        check_inputs(self, "speed")

    def mirrored(self, S: np.ndarray) -> Drive:
        """Return the drive in a mirror.

        The direction of travel is x of the carrier, which becomes S_x; the torque is about y of the
        wheel, which becomes -S_y.
        """
        turned = float(np.prod(S)) * S[1]
        if S[0] != turned:
            raise ModelError(
                "a mirror across z turns a Drive round; give this element in the file that uses "
                "the assembly."
            )
        return self if turned > 0.0 else replace(self, speed=negated(self.speed, "Drive: speed"))

    def own_states(self) -> tuple[State, ...]:
        return (State("missed", 0.0, 1.0, "m"),) if self.integral else ()

    def lower(self, row, to) -> None:
        row["input"][0] = to.input(self.speed, "Drive: speed")
        row["first"] = to.pool([self.gain, self.integral, self.limit or 0.0])


@inline
def demand(tables, work, force, t, x):
    """Forward speed, speed error, and torque."""
    carrier, _ = ends(tables, force)
    n = tables.pool[force.first :]
    speed = dot(point_motion(carrier, work.bodies)[1], column(frame(carrier, work.bodies), 0))
    missing = input_value(tables, work, t, force.input[0]) - speed
    torque = n[GAIN] * missing
    if n[RATE] > 0.0:
        torque += n[RATE] * x[force.ix]
    if n[LIMIT] > 0.0:
        torque = min(max(torque, -n[LIMIT]), n[LIMIT])
    return speed, missing, torque


@kernel
def apply(tables, work, force, t, q, v, x):
    carrier, wheel = ends(tables, force)
    _, missing, torque = demand(tables, work, force, t, x)
    if tables.pool[force.first + RATE] > 0.0:
        work.xdot[force.ix] += missing
    couple, p = (
        scale(torque, column(frame(wheel, work.bodies), 1)),
        point_motion(wheel, work.bodies)[0],
    )
    push(wheel, work.bodies, couple, ZERO, p)
    push(carrier, work.bodies, neg(couple), ZERO, p)


@kernel
def read(tables, work, force, t, q, v, x, out):
    out[0], _, out[1] = demand(tables, work, force, t, x)


energy = no_energy
