"""Elastic belt or chain over two pulleys with parallel axes; its strands load the bearings.

    s_k' = e_k . (v_2(P_2k) - v_1(P_1k)),   T_k = max(T_0 + k s_k + c s_k', 0)     strands k = 1, 2
    on pulley 1   T_k e_k at P_1k,          on pulley 2   -T_k e_k at P_2k

A strand is the common tangent of the pulleys, from P_1 to P_2 along e. It stretches by the way that
the rims move apart along it: the belt neither slips nor stretches on the pulleys. With the axis a,
u from center to center, w = a x u, and the side +1 or -1 of a strand,

    n = sin(g) u + side cos(g) w,   P_1 = o_1 + r_1 n,   P_2 = o_2 +- r_2 n,   sin(g) = (r_1 -+ r_2) / d

with the upper signs for an open and the lower ones for a crossed belt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import check, check_flags, numbers
from ...core.quantities import Metres, Newtons, NewtonSecondsPerMetre, NewtonsPerMetre
from ...errors import ModelError, short
from ...kernel.algebra.spatial import load6, velocity_at
from ...kernel.algebra.vec3 import add, column, cross, dot, load3, neg, norm, scale, sub
from ...kernel.decorators import inline, kernel
from ..controllers.contract import State
from .contract import ZERO, Force, ends, frame, point_motion, push

R_1, R_2, K, C, TENSION = range(5)  # numbers in the pool; R_2 is negative for a crossed belt


@dataclass(frozen=True)
class Belt(Force):
    r"""Elastic belt or chain over two pulleys; its strands load the bearings.

    Parameters
    ----------
    radii : (float, float)
        Radii of the pulleys of both markers (m).
    stiffness : float
        Stiffness of each strand (N/m).
    damping : float, default 0.0
        Damping coefficient of each strand (N s/m).
    pretension : float, default 0.0
        Tension of both strands at the start (N). It may be zero for a chain.
    crossed : bool, default False
        Whether the strands cross, so that the pulleys turn in opposite directions.

    See Also
    --------
    kt.Coupling : Rigid belt, as a relation between two angles.
    kt.GearMesh : Elastic teeth.
    kt.Cable : Rope through eyes.

    Notes
    -----
    .. math::
        \dot s_k = e_k \cdot (v_2 - v_1), \qquad T_k = \max(T_0 + k\,s_k + c\,\dot s_k,\; 0)

    :math:`e_k` is the direction of strand k from the first pulley to the second, :math:`v_1` and
    :math:`v_2` are the velocities of the rims at its ends, :math:`T_0` the `pretension`, :math:`k`
    the `stiffness` and :math:`c` the `damping`. A strand that would be compressed is slack. The belt
    does not slip on the pulleys and has no mass. The markers are at the centers of the pulleys, with
    parallel z axes along the shafts. Strand 1 is on the side of the first pulley's y axis if the
    second pulley lies along its x axis; it becomes tight if the first pulley drives in the positive
    direction. The channels `tension1` and `tension2` are the tensions (N), `stretch1` and
    `stretch2` the stretches since the start (m).

    Examples
    --------
    A torque of 3 N m on a pulley of 50 mm makes the tensions differ by 60 N.

    >>> import kinetree as kt
    >>> model = kt.Model("belt", gravity=(0, 0, 0))
    >>> a = model.body("a", kt.rotor(inertia=0.01, mass=1.0))
    >>> b = model.body("b", kt.rotor(inertia=0.1, mass=1.0), position=(0.5, 0, 0))
    >>> first = model.joint("A", kt.Revolute(axis="z"), model.ground, a)
    >>> second = model.joint("B", kt.Revolute(axis="z"), model.ground.at(0.5, 0, 0), b)
    >>> strands = kt.Belt((0.05, 0.1), 1e5, damping=300.0, pretension=100.0)
    >>> belt = model.force("belt", strands, a, b)
    >>> motor = model.force("motor", kt.TorsionSpring("A.angle", torque=3.0))
    >>> brake = model.constraint("brake", kt.Driver("B.angle", 0.0))
    >>> sol = kt.simulate(model, until=0.2)
    >>> print(f"{sol['belt.tension1'][-1]:.0f} N, {sol['belt.tension2'][-1]:.0f} N")
    130 N, 70 N
    """

    radii: tuple[Metres, Metres]
    stiffness: NewtonsPerMetre
    damping: NewtonSecondsPerMetre = 0.0
    pretension: Newtons = 0.0
    crossed: bool = False

    kind = "belt"
    markers = (2, 2)
    meanings = {
        **{f"tension{k}": f"tension of strand {k}, zero while it is slack" for k in (1, 2)},
        **{f"stretch{k}": f"stretch of strand {k} since the start" for k in (1, 2)},
    }
    look = "rope"
    readings = (("tension1", "N"), ("tension2", "N"))

    def __post_init__(self) -> None:
        found = tuple(float(r) for r in numbers(self.radii, 2, "Belt: radii"))
        if not min(found) > 0.0:
            raise ModelError(f"Belt: radii must be positive, got {short(self.radii)}.")
        object.__setattr__(self, "radii", found)
        check(self, "stiffness", positive=True)
        check(self, "damping", "pretension", at_least_zero=True)
        check_flags(self, "crossed")

    def own_states(self) -> tuple[State, ...]:
        return tuple(State(f"stretch{k}", 0.0, 1e-4, "m") for k in (1, 2))

    def lower(self, row, to) -> None:
        r_1, r_2 = self.radii
        row["first"] = to.pool(
            [r_1, -r_2 if self.crossed else r_2, self.stiffness, self.damping, self.pretension]
        )


@inline
def strand(tables, force, bodies, side):
    """Ends P_1 and P_2 of a strand, its direction e, and s'."""
    first, second = ends(tables, force)
    n = tables.pool[force.first :]
    a = column(frame(first, bodies), 2)
    (o_1, _), (o_2, _) = point_motion(first, bodies), point_motion(second, bodies)
    way = sub(o_2, o_1)
    way = sub(way, scale(dot(way, a), a))
    d = norm(way)
    u = scale(1.0 / d if d > 0.0 else 0.0, way)
    w = cross(a, u)
    sine = min(max((n[R_1] - n[R_2]) / d if d > 0.0 else 0.0, -1.0), 1.0)
    cosine = math.sqrt(1.0 - sine * sine)
    normal = add(scale(sine, u), scale(side * cosine, w))
    P_1, P_2 = add(o_1, scale(n[R_1], normal)), add(o_2, scale(n[R_2], normal))
    line = sub(P_2, P_1)
    length = norm(line)
    e = scale(1.0 / length if length > 0.0 else 0.0, line)
    i, j = bodies[first.body], bodies[second.body]
    v_1 = velocity_at(load6(i.V), sub(P_1, load3(i.O)))
    v_2 = velocity_at(load6(j.V), sub(P_2, load3(j.O)))
    return P_1, P_2, e, dot(e, sub(v_2, v_1))


@inline
def tension(n, stretch, rate):
    """T of the module."""
    return max(n[TENSION] + n[K] * stretch + n[C] * rate, 0.0)


@kernel
def apply(tables, work, force, t, q, v, x):
    first, second = ends(tables, force)
    n = tables.pool[force.first :]
    for k in range(2):
        P_1, P_2, e, rate = strand(tables, force, work.bodies, 1.0 if k == 0 else -1.0)
        work.xdot[force.ix + k] += rate
        pull = scale(tension(n, x[force.ix + k], rate), e)
        push(first, work.bodies, ZERO, pull, P_1)
        push(second, work.bodies, ZERO, neg(pull), P_2)


@kernel
def read(tables, work, force, t, q, v, x, out):
    n = tables.pool[force.first :]
    for k in range(2):
        _, _, _, rate = strand(tables, force, work.bodies, 1.0 if k == 0 else -1.0)
        out[k] = tension(n, x[force.ix + k], rate)


@kernel
def energy(tables, work, force, t, q, x):
    """T^2 / (2 k) of both strands, zero while they are slack."""
    n, total = tables.pool[force.first :], 0.0
    for k in range(2):
        T = tension(n, x[force.ix + k], 0.0)
        total += 0.5 * T * T / n[K]
    return total
