"""Screw of varying pitch: the travel along the z axis of F is a function T of the turn about it.

    p_FM = T(angle) z,      column (z, T' z) about the axis,      bias (0, T'' z) v^2
    cut:  as a cylindrical joint, and  g = z . p_FM - T(angle)

T' = pitch / 2 pi is a spline through given values, or straight pieces, and constant beyond them. The
pitch never changes its sign, so that the travel determines the turn of a cut joint.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...core.checks import check_flags, check_rows
from ...core.quantities import Metres, Radians
from ...errors import ModelError
from ...kernel.algebra.spatial import angular, join, load6, store6, wrench
from ...kernel.algebra.vec3 import (
    add,
    column,
    cross,
    dot,
    load3,
    load9,
    matmul,
    neg,
    rotate,
    scale,
    sub,
    turn_z,
)
from ...kernel.decorators import inline, kernel
from ...kernel.mathematics import atan2
from ...kernel.types import Vector
from ..signals.table import piece, piecewise_cubic
from .contract import (
    ABOUT_X,
    AxisJoint,
    CutRows,
    InPlane,
    OwnRows,
    Perpendicular,
    Reversal,
    X,
    Y,
    Z,
)
from .sensors import TURN_Z, plane_bias, raw_angle

ZERO = (0.0, 0.0, 0.0)
TURN = 2.0 * math.pi
FRAMES = 18  # numbers of the two rotations before those of the screw, in the record of a cut joint


@dataclass(frozen=True)
class VariableScrew(AxisJoint):
    r"""Screw joint of varying pitch: one rotation about an axis, with an advance that depends on it.

    Parameters
    ----------
    axis : str or (3,) array_like, default 'z'
        Axis of the screw: "x", "y", "z", "-x", "-y", "-z" or a vector of any length but zero.
    angles : sequence of float, default (0.0, 6.283185307179586)
        Angles at which the pitch is given, increasing (rad).
    pitch : sequence of float, default (0.01, 0.02)
        Advance of the child per turn at each of these angles (m), constant beyond the first and the
        last. All have one sign: positive for a right-handed screw.
    smooth : bool, default True
        Interpolate the pitch by a cubic spline that is flat at both ends, or by straight lines.

    Attributes
    ----------
    labels : tuple of str
        The coordinate: `angle` (rad). The advance is zero at angle zero.
    speeds : tuple of str
        The velocity: `angle` (rad/s).

    See Also
    --------
    kt.Screw : A screw of constant pitch.

    Notes
    -----
    The axis is the z axis of frame F on the parent and of frame M on the child:

    .. math::
        R_{FM} = R_z(q), \qquad p_{FM} = T(q)\,e_z, \qquad
        T'(q) = \frac{p(q)}{2\pi}, \qquad T(0) = 0

    :math:`q` is the coordinate `angle` (rad), positive by the right-hand rule about the axis, seen
    from the parent, and :math:`p(q)` is the `pitch` (m) through the given values. With a positive
    pitch the child advances along the axis when the angle grows. Where a loop is cut at the joint
    there are five equations.

    Examples
    --------
    Over the first turn the pitch grows from 10 to 20 mm: the advance is their mean.

    >>> import math
    >>> import kinetree as kt
    >>> turn = 2.0 * math.pi
    >>> screw = kt.VariableScrew("z", angles=(0.0, turn), pitch=(0.01, 0.02), smooth=False)
    >>> model = kt.Model("feed screw")
    >>> nut = model.body("nut", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    >>> joint = model.joint("S", screw, model.ground, nut)
    >>> motor = model.constraint("motor", kt.Driver("S.angle", kt.Ramp(turn)))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{1000 * sol['nut.position.z'][-1]:.2f} mm")
    15.00 mm
    """

    angles: tuple[Radians, ...] = (0.0, TURN)
    pitch: tuple[Metres, ...] = (0.01, 0.02)
    smooth: bool = True

    kind = "variable-screw"
    coordinates = {"angle": "turn_z"}
    meanings = {
        "angle": "turn of the child about the axis, seen from the parent; zero where the advance is zero",
    }
    leading = 1
    reversal = Reversal(ABOUT_X, (0,))
    weight = 1.6
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), InPlane(X), InPlane(Y), OwnRows())
    parallel = (Z,)
    look = ("thread", "nut")

    def __post_init__(self) -> None:
        check_rows(self, angles=None)
        check_rows(self, pitch=len(self.angles))
        check_flags(self, "smooth")
        if len(self.angles) < 2 or np.any(np.diff(self.angles) <= 0.0):
            raise ModelError(
                f"VariableScrew: angles must be at least two and increase, got {self.angles}."
            )
        at = np.linspace(self.angles[0], self.angles[-1], 20 * len(self.angles))
        slopes = np.array([advance(self._numbers, float(angle))[1] for angle in at])
        if not (slopes.min() > 0.0 or slopes.max() < 0.0):
            raise ModelError(
                f"VariableScrew: the pitch must not change its sign or vanish between {self.angles[0]:g} "
                f"and {self.angles[-1]:g} rad; it reaches from {TURN * slopes.min():.4g} to "
                f"{TURN * slopes.max():.4g} m."
            )

    @classmethod
    def examples(cls):
        return (
            cls("z", (-2.0, 0.0, 1.5, 3.0), (0.5, 0.8, 0.3, 1.0)),
            cls("x", (-1.0, 1.0), (-0.4, -0.9), smooth=False),
        )

    def mirrored(self) -> "VariableScrew":
        """Left-handed where it was right-handed."""
        return replace(self, pitch=tuple(-one for one in self.pitch))

    def exchanged(self) -> "VariableScrew":
        """The angle counts the other way."""
        return replace(
            self, angles=tuple(-one for one in self.angles[::-1]), pitch=self.pitch[::-1]
        )

    @cached_property
    def _numbers(self) -> np.ndarray:
        """How many angles, the angles, four coefficients of T' per piece, T at the angles."""
        slopes = np.array(self.pitch) / TURN
        found = piecewise_cubic(self.angles, slopes, self.smooth, at_rest=self.smooth)
        n = len(self.angles)
        h, (a, b, c, d) = np.diff(self.angles), np.reshape(found[n:], (n - 1, 4)).T
        steps = h * (d + h * (c / 2.0 + h * (b / 3.0 + h * a / 4.0)))
        travel = np.concatenate([[0.0], np.cumsum(steps)])
        numbers = np.array([float(n), *found, *travel])
        numbers[-n:] -= advance(numbers, 0.0)[0]
        return numbers

    @property
    def parameters(self) -> np.ndarray:
        return self._numbers

    def measure(self, R_FM, p_FM):
        """Return the angle; the travel determines its turn."""
        angle = atan2(R_FM[1, 0], R_FM[0, 0])
        return [angle + TURN * round((turned(self._numbers, float(p_FM[2])) - angle) / TURN)]

    def offset(self, q):
        return 0.0, 0.0, advance(self._numbers, float(q[0]))[0]


@inline
def travel(pool, first, angle):
    """T, T', T'' at an angle."""
    n = int(pool[first])
    inside = min(max(angle, pool[first + 1]), pool[first + n])
    k = piece(pool, first + 1, n, inside)
    s, at = inside - pool[first + 1 + k], first + 1 + n + 4 * k
    a, b, c, d = pool[at], pool[at + 1], pool[at + 2], pool[at + 3]
    way = pool[first + 1 + n + 4 * (n - 1) + k]
    way += s * (d + s * (c / 2.0 + s * (b / 3.0 + s * a / 4.0)))
    slope = d + s * (c + s * (b + s * a))
    if inside != angle:
        return way + slope * (angle - inside), slope, 0.0
    return way, slope, c + s * (2.0 * b + s * 3.0 * a)


@inline
def angle_at(pool, first, way):
    """The angle at which the travel is `way`: T is monotonic. Bisection, then Newton's method."""
    n = int(pool[first])
    low, high = pool[first + 1], pool[first + n]
    rising = 1.0 if travel(pool, first, low)[1] > 0.0 else -1.0
    for _ in range(20):
        middle = 0.5 * (low + high)
        if rising * (travel(pool, first, middle)[0] - way) < 0.0:
            low = middle
        else:
            high = middle
    angle = 0.5 * (low + high)
    for _ in range(5):
        there, slope, _ = travel(pool, first, angle)
        angle += (way - there) / slope
    return angle


@kernel
def advance(numbers: Vector, angle: float):
    """`travel` for Python, with the numbers of one screw."""
    return travel(numbers, 0, angle)


@kernel
def turned(numbers: Vector, way: float):
    """`angle_at` for Python, with the numbers of one screw."""
    return angle_at(numbers, 0, way)


@inline
def move(tables, link, q, R_WF, p_WF):
    angle = q[link.iq]
    way = travel(tables.pool, link.first, angle)[0]
    return turn_z(R_WF, angle), add(p_WF, scale(way, column(R_WF, 2)))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    a, slope = column(R_WF, 2), travel(tables.pool, link.first, q[link.iq])[1]
    store6(dofs[link.iv].h, join(a, add(cross(r_F, a), scale(slope, a))))


@inline
def bias(tables, link, q, v, R_WF, R_WM, r_F, r_M):
    bend = travel(tables.pool, link.first, q[link.iq])[2]
    return join(ZERO, scale(bend * v[link.iv] * v[link.iv], column(R_WF, 2)))


@inline
def seen(tables, p, bodies):
    """Axis, point of M, travel and angle between the frames of a cut joint."""
    i, j = bodies[p.i], bodies[p.j]
    R_WF = matmul(load9(i.R), load9(tables.pool[p.first :]))
    R_WM = matmul(load9(j.R), load9(tables.pool[p.first + 9 :]))
    p_WF = add(load3(i.p), rotate(load9(i.R), load3(p.p_i)))
    p_WM = add(load3(j.p), rotate(load9(j.R), load3(p.p_j)))
    a, raw = column(R_WF, 2), raw_angle(TURN_Z, R_WF, R_WM)
    way = dot(a, sub(p_WM, p_WF))
    rough = angle_at(tables.pool, p.first + FRAMES, way)
    return a, p_WM, way, raw + TURN * math.floor((rough - raw) / TURN + 0.5)


@inline
def cut_value(tables, p, k, bodies, aims):
    _, _, way, angle = seen(tables, p, bodies)
    return way - travel(tables.pool, p.first + FRAMES, angle)[0]


@inline
def cut_pair(tables, p, k, bodies, aims):
    a, p_WM, _, angle = seen(tables, p, bodies)
    couple = scale(-travel(tables.pool, p.first + FRAMES, angle)[1], a)
    r_i, r_j = sub(p_WM, load3(bodies[p.i].O)), sub(p_WM, load3(bodies[p.j].O))
    return wrench(neg(couple), neg(a), r_i), wrench(couple, a, r_j)


@inline
def cut_bias(tables, p, k, bodies, aims):
    a, p_WM, _, angle = seen(tables, p, bodies)
    _, slope, bend = travel(tables.pool, p.first + FRAMES, angle)
    V_i, V_j = load6(bodies[p.i].V), load6(bodies[p.j].V)
    r_i, r_j = sub(p_WM, load3(bodies[p.i].O)), sub(p_WM, load3(bodies[p.j].O))
    w = sub(angular(V_j), angular(V_i))
    rate = dot(a, w)
    turning = slope * dot(cross(angular(V_i), a), w) + bend * rate * rate
    return plane_bias(a, V_i, V_j, r_i, r_j) - turning


ROWS = CutRows(cut_value, cut_pair, cut_bias)
