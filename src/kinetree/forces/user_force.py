"""A force written by the user: a function of time and of the motion of one or two markers.

    function(t, a, b, parameters, force, torque)

`a` and `b` have position, rotation, velocity and angular_velocity in world axes; the function fills `force` and
`torque` (world axes), which act on the body of marker b at b, and the opposite on the body of a at the same point.
With one marker, a is the ground at the origin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..annotations import Seconds
from ..errors import ModelError
from ..frames import numbers
from ..num.callback import call_wrench
from ..num.dense import fill
from ..num.fault import accuse, check_all
from ..num.jit import inline, kernel
from ..num.spatial import angular, load6
from ..num.vec3 import load3, neg, store3, store9
from ..signals.contract import check_breakpoints
from ..usercode.code import address_of
from .contract import Force, frame, no_energy, point_motion, push


@dataclass(frozen=True)
class UserForce(Force):
    """Force and torque by a Python function, compiled once; see the module for its arguments.

    function      function(t, a, b, parameters, force, torque), which fills force (N) and torque (N m) in world axes
    parameters    numbers that are handed to it
    breakpoints   times at which it jumps or something short begins: steps end there (s)
    """

    function: Callable
    parameters: tuple[float, ...] = ()
    breakpoints: Sequence[Seconds] = ()

    kind = "user-force"
    markers = (1, 2)

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ModelError(f"UserForce: function must be callable, got {self.function!r}.")
        numbers(self.parameters, np.size(self.parameters), "UserForce: parameters")
        object.__setattr__(self, "breakpoints", check_breakpoints(self.breakpoints, "UserForce"))

    def mirrored(self, S: np.ndarray) -> UserForce:
        raise ModelError("a mirror cannot turn what a Python function answers; give this force in the file that uses the "
                         "assembly.")

    def lower(self, row, to) -> None:
        row["address"] = address_of(self.function, "wrench")
        row["first"], row["count"] = to.pool(self.parameters), len(self.parameters)


@inline
def describe(m, marker, bodies):
    """Fill 18 numbers: position, rotation, velocity, angular velocity; answers the position."""
    p, v = point_motion(marker, bodies)
    store3(m[0:3], p)
    store9(m[3:12], frame(marker, bodies))
    store3(m[12:15], v)
    store3(m[15:18], angular(load6(bodies[marker.body].V)))
    return p


@kernel
def apply(force, t, q, v, x, tables, work):
    first, last = tables.markers[force.im], tables.markers[force.im + force.nm - 1]
    a, b, out = work.user[0], work.user[1], work.user[2]
    if force.nm > 1:
        describe(a, first, work.bodies)
    else:  # the ground at the origin
        fill(a, 0.0)
        a[3] = a[7] = a[11] = 1.0
    p = describe(b, last, work.bodies)
    fill(out, 0.0)
    if call_wrench(force.address, (t, a.ctypes.data, b.ctypes.data, tables.pool[force.first:].ctypes.data, force.count,
                                   out[0:3].ctypes.data, out[3:6].ctypes.data)) != 0:
        accuse(work.report[0])
    check_all(work.report[0], out[0:6])
    torque, f = load3(out[3:6]), load3(out[0:3])
    push(last, work.bodies, torque, f, p)
    if force.nm > 1:
        push(first, work.bodies, neg(torque), neg(f), p)


energy = no_energy
