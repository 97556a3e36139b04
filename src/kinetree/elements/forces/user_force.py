"""A force written by the user: a function of time and of the motion of one or two markers.

    function(t, a, b, parameters, force, torque)

`a` and `b` have position, rotation, velocity and angular_velocity in world axes; the function fills
`force` and `torque` (world axes), which act on the body of marker b at b, and the opposite on the
body of a at the same point. With one marker, a is the ground at the origin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.checks import a_function, check_rows
from ...core.quantities import Reference, Seconds
from ...errors import ModelError
from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import angular, load6
from ...kernel.algebra.vec3 import load3, neg, store3, store9
from ...kernel.callbacks import call_wrench
from ...kernel.decorators import inline, kernel
from ...kernel.tables.fault import check_all, set_fault
from ...kernel.usercode.checks import check_gap
from ...kernel.usercode.registry import address_of
from ..signals.contract import check_breakpoints, check_longest
from .contract import Force, frame, no_energy, point_motion, push


@dataclass(frozen=True)
class UserForce(Force):
    """Force and torque by a Python function of time and of the motion of one or two markers,
    compiled once.

    function      function(t, a, b, parameters, force, torque), which fills force (N) and torque (N
                  m) in world axes
    parameters    numbers that are passed to it
    breakpoints   times at which it jumps or something short begins: steps end there (s)
    longest_step  the longest step of adaptive integrators (s), a few times as long as its shortest
                  pulse; `math.inf` where it is
                  smooth; by default 1/500 of the run
    gap           where it switches with the motion: the name of a channel, or a function f(t, s) of
                  a moment as in kt.Event, that
                  changes its sign there; steps end there

    The function receives

        t             time (s)
        a, b          the two markers, each with position (m), rotation (3x3, from marker to world
                      axes), velocity (m/s) and
                      angular_velocity (rad/s), all in world axes; with one marker, b is that one
                      and a the ground at the origin
        parameters    array of the numbers above
        force, torque arrays of three, zero on entry, to be filled. They act on the body of b at the
        origin of b; with two markers
                      the opposite acts on the body of a at the same point

    Example: a spring of 100 N/m from a to b, and a damper.

        def pull(t, a, b, parameters, force, torque):
            k, c = parameters
            for i in range(3):
                force[i] = -k * (b.position[i] - a.position[i]) - c * (b.velocity[i] -
                a.velocity[i])

        model.force("pull", kt.UserForce(pull, parameters=(100.0, 2.0)), model.ground, body)
    """

    function: Callable
    parameters: tuple[float, ...] = ()
    breakpoints: Sequence[Seconds] = ()
    longest_step: Seconds | None = None
    gap: Reference | None = None

    kind = "user-force"
    markers = (1, 2)

    def __post_init__(self) -> None:
        a_function(self.function, "UserForce: function", "(t, a, b, parameters, force, torque)")
        check_rows(self, parameters=None)
        object.__setattr__(self, "breakpoints", check_breakpoints(self.breakpoints, "UserForce"))
        check_longest(self)
        check_gap(self.gap, "UserForce")

    def mirrored(self, S: np.ndarray) -> UserForce:
        raise ModelError(
            "a mirror cannot turn what a Python function answers; give this force in the file that "
            "uses the "
            "assembly."
        )

    def longest_steps(self) -> tuple[float | None, ...]:
        return (self.longest_step,)

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
def apply(tables, work, force, t, q, v, x):
    first, last = tables.markers[force.im], tables.markers[force.im + force.nm - 1]
    a, b, out = work.user[0], work.user[1], work.user[2]
    if force.nm > 1:
        describe(a, first, work.bodies)
    else:  # the ground at the origin
        fill(a, 0.0)
        a[3] = a[7] = a[11] = 1.0
    p = describe(b, last, work.bodies)
    fill(out, 0.0)
    if (
        call_wrench(
            force.address,
            (
                t,
                a.ctypes.data,
                b.ctypes.data,
                tables.pool[force.first :].ctypes.data,
                force.count,
                out[0:3].ctypes.data,
                out[3:6].ctypes.data,
            ),
        )
        != 0
    ):
        set_fault(work.report[0])
    check_all(work.report[0], out[0:6])
    torque, f = load3(out[3:6]), load3(out[0:3])
    push(last, work.bodies, torque, f, p)
    if force.nm > 1:
        push(first, work.bodies, neg(torque), neg(f), p)


energy = no_energy
