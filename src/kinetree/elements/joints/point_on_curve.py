"""Point on a curve: the origin of M slides along a curve fixed in F, and the child turns freely
about it.

A bead on a bent wire, the roller of a cam in its slot, a carriage on a roller coaster. With the
curve c(s) of curve.py,

    p_FM = c(s),      column (0, c'),      bias (0, c'') v^2
    cut:  g_k = n_k(s) . (p_FM - c(s)),    s the place nearest to M,    n_k normals of the curve there

On the curve n_k . c' = 0, so that the rows of G are n_k, and the bias of a row is -n_k . c'' sdot^2
besides that of a plane.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.checks import check_flags
from ...core.quantities import Ring
from ...errors import ModelError
from ...kernel.algebra.quaternion import quat_matrix
from ...kernel.algebra.spatial import join, load6, velocity_at, wrench
from ...kernel.algebra.vec3 import add, dot, load3, load9, matmul, neg, rotate, rotate_t, scale, sub
from ...kernel.decorators import inline
from ...kernel.frames import matrix_quaternion, numbers
from .columns import sliding, spinning
from .contract import ONE_WAY, CutRows, Joint, OwnRows
from .curve import across, curve_at, curve_numbers, foot, nearest_place, place_at
from .sensors import plane_bias

ZERO = (0.0, 0.0, 0.0)
FRAMES = 18  # numbers of the two rotations before those of the curve, in the record of a cut joint


@dataclass(frozen=True)
class PointOnCurve(Joint):
    r"""Point of the child on a curve of the parent: one translation, three rotations.

    Parameters
    ----------
    points : (n, 3) array_like, default ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
        Points of the curve in the frame of the first marker (m). A cubic spline passes through them.
    closed : bool, default False
        Whether the curve returns from the last point to the first. An open curve continues straight
        beyond its ends.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: `displacement`, the arc length from the first point (m), and the unit
        quaternion `qw`, `qx`, `qy`, `qz`. On a closed curve the displacement counts the rounds.
    speeds : tuple of str
        The velocities: `displacement` (m/s) and the angular velocity `wx`, `wy`, `wz` in the
        child's frame (rad/s).

    See Also
    --------
    kt.PointOnLine : A point on a straight line.
    kt.PointOnPlane : A point in a plane.

    Notes
    -----
    The curve :math:`c(s)` is a cubic spline through the points in frame F on the parent; the point
    is the origin of frame M on the child:

    .. math::
        R_{FM} = R(q_w, q_x, q_y, q_z), \qquad p_{FM} = c(s)

    :math:`s` is the coordinate `displacement` (m): the arc length from the first point, positive
    towards the last one. It is exact at the points, and interpolated between them. Where a loop is
    cut at the joint there are two equations, at the place of the curve nearest to the point: such a
    curve must not cross itself.

    Examples
    --------
    A bead falls from the edge of a half circle of radius 1 m; at its bottom  v = sqrt(2 g).

    >>> import numpy as np
    >>> import kinetree as kt
    >>> angle = np.linspace(0.0, np.pi, 101)
    >>> arc = np.column_stack([np.cos(angle), 0.0 * angle, -np.sin(angle)])
    >>> model = kt.Model("bead")
    >>> bead = model.body("bead", kt.sphere(mass=0.1, radius=0.01))
    >>> wire = model.joint("W", kt.PointOnCurve(arc), model.ground, bead)
    >>> sol = kt.simulate(model, until=1.0, output_interval=0.001)
    >>> print(f"{sol['W.displacement.rate'].max():.3f} m/s")
    4.429 m/s
    """

    points: Ring = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    closed: bool = False

    kind = "point-on-curve"
    coordinates = {"displacement": "along"}
    meanings = {
        "displacement": "arc length from the first point of the curve; on a closed curve it counts the rounds",
    }
    ball = True
    leading = 1
    reversal = ONE_WAY  # from the child, a curve that passes through a point
    weight = 4.0
    cut = (OwnRows(),)
    look = ("wire", "bead")

    def __post_init__(self) -> None:
        check_flags(self, "closed")
        try:
            rows = [tuple(numbers(p, 3, "PointOnCurve: a point").tolist()) for p in self.points]
        except TypeError:
            raise ModelError("PointOnCurve: points must be a list of points (x, y, z).") from None
        fewest = 3 if self.closed else 2
        if len(rows) < fewest:
            raise ModelError(
                f"PointOnCurve: {'a closed' if self.closed else 'an open'} curve needs at least "
                f"{fewest} points, got {len(rows)}."
            )
        ring = [*rows, rows[0]] if self.closed else rows
        if any(a == b for a, b in zip(ring[:-1], ring[1:])):
            raise ModelError(
                "PointOnCurve: two successive points are equal"
                + (", or the last one repeats the first." if self.closed else ".")
            )
        object.__setattr__(self, "points", tuple(rows))

    @classmethod
    def examples(cls):
        t = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
        ring = np.column_stack([np.cos(t), 0.7 * np.sin(t), 0.2 * np.sin(2.0 * t)])
        bow = np.column_stack([t, 0.3 * t * t, np.sin(t)])
        return cls(bow), cls(ring, closed=True), cls([(0, 0, -1), (0, 1, 1)])

    @cached_property
    def _numbers(self) -> np.ndarray:
        return np.array(curve_numbers(np.array(self.points), self.closed))

    @property
    def parameters(self) -> np.ndarray:
        return self._numbers

    def period(self, label: str) -> float:
        return float(self._numbers[2]) if self.closed else 0.0

    def measure(self, R_FM, p_FM):
        return [nearest_place(self._numbers, *map(float, p_FM)), *matrix_quaternion(R_FM)]

    def along(self, p_FM: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        s = np.array([nearest_place(self._numbers, *map(float, p)) for p in p_FM])
        found = np.array([place_at(self._numbers, one) for one in s]).reshape(-1, 3, 3)
        return s, found[:, 1], found[:, 2]

    def offset(self, q):
        return place_at(self._numbers, float(q[0]))[:3]

    def drawn_curve(self) -> np.ndarray:
        s = np.linspace(0.0, self._numbers[2], 4 * len(self.points) + 1)
        return np.array([place_at(self._numbers, float(one))[:3] for one in s])


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    R_WM = matmul(R_WF, quat_matrix(q[i + 1], q[i + 2], q[i + 3], q[i + 4]))
    return R_WM, add(p_WF, rotate(R_WF, curve_at(tables.pool, link.first, q[i])[0]))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    sliding(dofs[link.iv], rotate(R_WF, curve_at(tables.pool, link.first, q[link.iq])[1]))
    spinning(link.iv + 1, R_WM, r_M, dofs)


@inline
def bias(tables, link, q, v, R_WF, R_WM, r_F, r_M):
    bend = curve_at(tables.pool, link.first, q[link.iq])[2]
    return join(ZERO, scale(v[link.iv] * v[link.iv], rotate(R_WF, bend)))


@inline
def seen(tables, p, bodies):
    """Rotation of F, the point of M in the world and in F, and its place on the curve."""
    i, j = bodies[p.i], bodies[p.j]
    R_WF = matmul(load9(i.R), load9(tables.pool[p.first :]))
    p_WF = add(load3(i.p), rotate(load9(i.R), load3(p.p_i)))
    p_WM = add(load3(j.p), rotate(load9(j.R), load3(p.p_j)))
    p_FM = rotate_t(R_WF, sub(p_WM, p_WF))
    return R_WF, p_WM, p_FM, foot(tables.pool, p.first + FRAMES, p_FM)


@inline
def cut_value(tables, p, k, bodies, aims):
    _, _, p_FM, s = seen(tables, p, bodies)
    c = curve_at(tables.pool, p.first + FRAMES, s)[0]
    return dot(across(tables.pool, p.first + FRAMES, s, k), sub(p_FM, c))


@inline
def cut_pair(tables, p, k, bodies, aims):
    R_WF, p_WM, _, s = seen(tables, p, bodies)
    a = rotate(R_WF, across(tables.pool, p.first + FRAMES, s, k))
    r_i, r_j = sub(p_WM, load3(bodies[p.i].O)), sub(p_WM, load3(bodies[p.j].O))
    return wrench(ZERO, neg(a), r_i), wrench(ZERO, a, r_j)


@inline
def cut_bias(tables, p, k, bodies, aims):
    R_WF, p_WM, _, s = seen(tables, p, bodies)
    _, slope, bend = curve_at(tables.pool, p.first + FRAMES, s)
    n = across(tables.pool, p.first + FRAMES, s, k)
    V_i, V_j = load6(bodies[p.i].V), load6(bodies[p.j].V)
    r_i, r_j = sub(p_WM, load3(bodies[p.i].O)), sub(p_WM, load3(bodies[p.j].O))
    slip = sub(velocity_at(V_j, r_j), velocity_at(V_i, r_i))
    sdot = dot(rotate(R_WF, slope), slip) / dot(slope, slope)
    return plane_bias(rotate(R_WF, n), V_i, V_j, r_i, r_j) - sdot * sdot * dot(n, bend)


ROWS = CutRows(cut_value, cut_pair, cut_bias, rows=2)
