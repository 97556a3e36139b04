"""Force by a user function of time and of the motion of one or two markers.

    function(t, a, b, parameters, force, torque)

`a` and `b` have position, rotation, velocity and angular_velocity in world axes. The function fills
`force` and `torque` (world axes), which act on the body of marker b at b; the opposite acts on the
body of a at the same point. With one marker, a is the ground at the origin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.checks import a_function, check_rows
from ...core.quantities import Reference, Seconds
from ...errors import ModelError
from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import angular, load6
from ...kernel.algebra.vec3 import load3, neg, store3, store9
from ...kernel.decorators import inline, kernel
from ...kernel.intrinsics import call_wrench
from ...kernel.tables.fault import check_all, set_fault
from ...kernel.usercode.checks import check_gap
from ...kernel.usercode.registry import address_of
from ..signals.contract import check_breakpoints, check_longest
from ..user_gaps import bounds_steps, heed_markers, lower_gap
from .contract import Force, frame, no_energy, point_motion, push


@dataclass(frozen=True)
class UserForce(Force):
    r"""Force and torque by a Python function of time and of the motion of one or two markers.

    Parameters
    ----------
    function : callable
        Function(t, a, b, parameters, force, torque) that fills `force` in N and `torque` in N m,
        both in world axes. It is compiled once.
    parameters : tuple of float, default ()
        Numbers that are passed to the function.
    breakpoints : sequence of float, default ()
        Times at which the force jumps or a short pulse begins (s). Steps end there.
    longest_step : float, optional
        Longest step of adaptive integrators (s), a few times the length of the shortest pulse;
        `math.inf` for a smooth function. By default 1/500 of the run.
    gap : str or callable, optional
        Function(t, a, b, parameters) that returns the distance (m) at which the force begins,
        positive while there is none. It bounds the steps, so that no contact is missed. Or a
        channel, or function f(t, s) of a state as in `kt.Event`, that changes its sign where the
        force switches; steps end there.

    See Also
    --------
    kt.Controller : User code with inputs, states and outputs.
    kt.PointForce : Force given over time.

    Notes
    -----
    .. math::
        (f, \tau) = \text{function}(t, a, b, \text{parameters})

    The function receives

    - `t`, the time (s);
    - `a` and `b`, the two markers, each with `position` (m), `rotation` (3x3, from marker to world
      axes), `velocity` (m/s) and `angular_velocity` (rad/s) in world axes; with one marker, b is
      that marker and a the ground at the origin;
    - `parameters`, an array of the numbers above;
    - `force` and `torque`, arrays of three that are zero on entry and are to be filled: f (N) and
      tau (N m).

    Force and torque act on the body of b at the origin of b, and are positive along the world axes;
    with two markers the opposite acts on the body of a at the same point. The channels `force` and
    `torque` are those on b.

    Examples
    --------
    A spring and a damper between the ground and a block.

    >>> import kinetree as kt
    >>> def pull(t, a, b, parameters, force, torque):
    ...     k, c = parameters[0], parameters[1]
    ...     for i in range(3):
    ...         force[i] = -k * (b.position[i] - a.position[i])
    ...         force[i] -= c * (b.velocity[i] - a.velocity[i])
    >>> model = kt.Model("spring", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)), position=(0.2, 0, 0))
    >>> free = model.float(block)
    >>> element = kt.UserForce(pull, parameters=(100.0, 2.0))
    >>> spring = model.force("spring", element, model.ground, block)
    >>> sol = kt.simulate(model, until=0.01)
    >>> print(f"{sol['spring.force.x'][0]:.1f} N")
    -20.0 N
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
            "the result of a Python function cannot be mirrored; give this force in the file that "
            "uses the "
            "assembly."
        )

    def longest_steps(self) -> tuple[float | None, ...]:
        smooth = self.longest_step is None and bounds_steps(self.gap)
        return (math.inf if smooth else self.longest_step,)

    def lower(self, row, to) -> None:
        row["address"] = address_of(self.function, "wrench")
        row["first"], row["count"] = to.pool(self.parameters), len(self.parameters)
        row["mode"] = lower_gap(to, self.gap, "poses", self.parameters)


@inline
def describe(m, marker, bodies):
    """Write 18 numbers (position, rotation, velocity, angular velocity) and return the position."""
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
    if force.mode >= 0:
        heed_markers(tables, work, force, force.mode, t)


energy = no_energy
