"""A drive that holds the speed of a vehicle: a torque on a wheel against its carrier, for the speed
that is missing.

    T = gain (V(t) - v_x) + rate s,    s' = V(t) - v_x,    |T| <= limit             v_x: of the
                                       carrier's marker, along its x axis

T turns the wheel forward about the y axis of its marker; its opposite acts on the carrier.
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
    """Holds a `speed` (m/s; a number, a time function or a controller's output) of the first
    marker, on the wheel of the second.

    speed      wanted, of the first marker along its x axis (m/s)
    gain       torque per missing speed, of this wheel (N m s/m)
    integral   torque per missing way, with a state: the speed is met without slack (N)
    limit      of the torque; none by default (N m)
    """

    speed: InputInMetresPerSecond
    gain: DriveGain
    integral: Newtons = 0.0
    limit: NewtonMetres | None = None

    kind = "drive"
    markers = (2, 2)
    readings = (("speed", "m/s"), ("torque", "N m"))

    def __post_init__(self) -> None:
        check(self, "gain", "integral", at_least_zero=True)
        check(self, "limit", positive=True, optional=True)
        check_inputs(self, "speed")

    def mirrored(self, S: np.ndarray) -> Drive:
        """Ahead is x of the carrier, which becomes S_x; the torque is about y of the wheel, which
        becomes -S_y.
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
    """Speed ahead, what is missing of it, and the torque."""
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
