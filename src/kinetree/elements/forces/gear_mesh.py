"""Elastic teeth of two wheels, with backlash: the force at the pitch point loads the bearings.

    e' = t . (v_1(P) - v_2(P))                   overlap of the teeth along the pitch circles
    N  = sign(e) max(k (|e| - b/2) + c sign(e) e', 0)  where |e| > b/2, else 0
    on wheel 2   N t + |N| tan(alpha) / cos(beta) u - N tan(beta) a            at P
    on wheel 1   the opposite

a is the axis of wheel 1, u the direction from its center to that of wheel 2, P the pitch point on
u, and t the direction in which wheel 1 moves at P; a pinion in a ring is pushed to its own axis. The
overlap e is a state, so that the teeth need no angles, and the bearings may be elastic or move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.checks import check, check_flags, numbers
from ...core.quantities import Metres, NewtonSecondsPerMetre, NewtonsPerMetre, Radians
from ...errors import ModelError, short
from ...kernel.algebra.spatial import load6, velocity_at
from ...kernel.algebra.vec3 import add, column, cross, dot, load3, neg, norm, scale, sub
from ...kernel.decorators import inline, kernel
from ..constraints.coupling import check_teeth
from ..controllers.contract import State
from .contract import ZERO, Force, ends, frame, point_motion, push

K, C, HALF, RATIO, RADIAL, AXIAL = range(6)  # numbers in the pool


@dataclass(frozen=True)
class GearMesh(Force):
    r"""Elastic teeth of two wheels with backlash; their forces load the bearings.

    Parameters
    ----------
    teeth : (float, float)
        Numbers of teeth of the wheels of both markers (1, or m for pitch radii).
    stiffness : float
        Stiffness of the teeth in mesh along the pitch circles (N/m).
    damping : float, default 0.0
        Damping coefficient while the teeth touch (N s/m).
    backlash : float, default 0.0
        Play along the pitch circles (m).
    internal : bool, default False
        Whether the smaller wheel runs inside the larger one.
    pressure_angle : float, default 0.3490658503988659
        Pressure angle in the normal section of the teeth (rad); the default is 20 degrees.
    helix_angle : float, default 0.0
        Helix angle of the first wheel (rad), positive for a right-hand helix.
    start : float, default 0.0
        Overlap at the start (m); 0 is the middle of the backlash.

    See Also
    --------
    kt.Gear : Rigid teeth, as a relation between two angles.
    kt.Belt : Elastic belt or chain.

    Notes
    -----
    .. math::
        \dot e = t \cdot (v_1 - v_2), \qquad
        N = \max\bigl(k\,(|e| - b/2) + c\,|\dot e|_e,\; 0\bigr)\,\operatorname{sign} e

    :math:`v_1, v_2` are the velocities of both wheels at the pitch point, :math:`t` the direction in
    which the first wheel moves there, :math:`b` the `backlash`, :math:`k` the `stiffness`, :math:`c`
    the `damping`, and :math:`|\dot e|_e` the rate at which the overlap grows. Within the backlash
    there is no force. The force acts on both wheels at the pitch point, with the parts N along the
    pitch circles, :math:`|N| \tan\alpha / \cos\beta` apart and :math:`N \tan\beta` along the axes.
    The markers are at the centers of the wheels, with their z axes along the shafts. The channel
    `overlap` is e (m), zero in the middle of the backlash; `force` is N (N), positive
    where the first wheel drives the second one in the positive direction of its own rotation.

    Examples
    --------
    A torque of 30 N m on a wheel of 50 mm presses the teeth by 600 N.

    >>> import kinetree as kt
    >>> model = kt.Model("mesh", gravity=(0, 0, 0))
    >>> a = model.body("a", kt.rotor(inertia=0.01, mass=1.0))
    >>> b = model.body("b", kt.rotor(inertia=0.1, mass=1.0), position=(0.2, 0, 0))
    >>> first = model.joint("A", kt.Revolute(axis="z"), model.ground, a)
    >>> second = model.joint("B", kt.Revolute(axis="z"), model.ground.at(0.2, 0, 0), b)
    >>> teeth = model.force("teeth", kt.GearMesh((20, 60), 1e7, damping=2e3), a, b)
    >>> motor = model.force("motor", kt.TorsionSpring("A.angle", torque=30.0))
    >>> brake = model.constraint("brake", kt.Driver("B.angle", 0.0))
    >>> sol = kt.simulate(model, until=0.1)
    >>> print(f"{sol['teeth.force'][-1]:.0f} N")
    600 N
    """

    teeth: tuple[float, float]
    stiffness: NewtonsPerMetre
    damping: NewtonSecondsPerMetre = 0.0
    backlash: Metres = 0.0
    internal: bool = False
    pressure_angle: Radians = math.pi / 9.0
    helix_angle: Radians = 0.0
    start: Metres = 0.0

    kind = "gear-mesh"
    markers = (2, 2)
    meanings = {
        "overlap": "displacement of the teeth of the first wheel against those of the second along "
        "the pitch circles, zero in the middle of the backlash",
        "force": "force N of the teeth along the pitch circles, positive where the first wheel "
        "drives the second one forward",
    }
    readings = (("force", "N"),)

    def __post_init__(self) -> None:
        found = tuple(float(z) for z in numbers(self.teeth, 2, "GearMesh: teeth"))
        if not min(found) > 0.0:
            raise ModelError(f"GearMesh: teeth must be positive, got {short(self.teeth)}.")
        object.__setattr__(self, "teeth", found)
        check(self, "stiffness", positive=True)
        check(self, "damping", "backlash", at_least_zero=True)
        check(self, "pressure_angle", "helix_angle", "start")
        check_flags(self, "internal")
        check_teeth(self.pressure_angle, self.helix_angle, "GearMesh")
        if self.internal and found[0] == found[1]:
            raise ModelError("GearMesh: pinion and ring need different numbers of teeth.")

    def mirrored(self, S: np.ndarray) -> GearMesh:
        if self.start:
            raise ModelError(
                "an overlap of teeth at the start cannot be mirrored; give this mesh in the file "
                "that uses the assembly."
            )
        return replace(self, helix_angle=-self.helix_angle)

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        play = 0.5 * self.backlash
        return (("overlap", play), ("overlap", -play)) if play > 0.0 else ()

    def own_states(self) -> tuple[State, ...]:
        return (State("overlap", self.start, 1e-4, "m"),)

    def lower(self, row, to) -> None:
        ratio = self.teeth[1] / self.teeth[0] * (-1.0 if self.internal else 1.0)
        row["first"] = to.pool(
            [
                *(self.stiffness, self.damping, 0.5 * self.backlash, ratio),
                math.tan(self.pressure_angle) / math.cos(self.helix_angle),
                math.tan(self.helix_angle),
            ]
        )


@inline
def pitch_point(tables, force, bodies):
    """P, t, the direction of the radial force on wheel 2, a, and the pitch radius of wheel 1."""
    first, second = ends(tables, force)
    a = column(frame(first, bodies), 2)
    o_1, o_2 = point_motion(first, bodies)[0], point_motion(second, bodies)[0]
    way = sub(o_2, o_1)
    way = sub(way, scale(dot(way, a), a))
    d, ratio = norm(way), tables.pool[force.first + RATIO]
    u = scale(1.0 / d if d > 0.0 else 0.0, way)
    r = d / (1.0 + ratio)  # negative for a pinion within a ring: P is on the other side
    t = cross(a, scale(-1.0 if r < 0.0 else 1.0, u))
    # apart, and in a ring towards the axis of the pinion
    return add(o_1, scale(r, u)), t, scale(-1.0 if ratio < 0.0 else 1.0, u), a


@inline
def rate_at(a, b, P, t, bodies):
    """e' of the module."""
    i, j = bodies[a.body], bodies[b.body]
    v_1 = velocity_at(load6(i.V), sub(P, load3(i.O)))
    return dot(t, sub(v_1, velocity_at(load6(j.V), sub(P, load3(j.O)))))


@inline
def pressed(n, e, rate):
    """N of the module."""
    depth, side = abs(e) - n[HALF], 1.0 if e > 0.0 else -1.0
    return side * max(n[K] * depth + n[C] * side * rate, 0.0) if depth > 0.0 else 0.0


@inline
def heed_play(work, n, e, rate):
    """Limit the step within the backlash, so that the touch of the other flank is not missed."""
    left = n[HALF] - abs(e)
    if left > 0.0 and rate != 0.0:
        report = work.report[0]
        report.longest = min(report.longest, (0.5 * left + 0.01 * n[HALF]) / abs(rate))


@kernel
def apply(tables, work, force, t, q, v, x):
    first, second = ends(tables, force)
    n, e = tables.pool[force.first :], x[force.ix]
    P, tangent, apart, a = pitch_point(tables, force, work.bodies)
    rate = rate_at(first, second, P, tangent, work.bodies)
    work.xdot[force.ix] += rate
    N = pressed(n, e, rate)
    heed_play(work, n, e, rate)
    f = add(scale(N, tangent), add(scale(abs(N) * n[RADIAL], apart), scale(-N * n[AXIAL], a)))
    push(second, work.bodies, ZERO, f, P)
    push(first, work.bodies, ZERO, neg(f), P)


@kernel
def read(tables, work, force, t, q, v, x, out):
    first, second = ends(tables, force)
    P, tangent, _, _ = pitch_point(tables, force, work.bodies)
    rate = rate_at(first, second, P, tangent, work.bodies)
    out[0] = pressed(tables.pool[force.first :], x[force.ix], rate)


@kernel
def energy(tables, work, force, t, q, x):
    depth = max(abs(x[force.ix]) - tables.pool[force.first + HALF], 0.0)
    return 0.5 * tables.pool[force.first + K] * depth * depth
