"""A disc, wheel or ball rolls on a plane: one equation of positions, two of velocities alone.

    plane    point p_i, normal n, of body i     wheel    center p_j, axis a, radius R, crown C, of body j
    e = (n - c a) / s,   c = a.n,   s^2 = 1 - c^2          from the contact to the axis, in the wheel
    P = p_j - (R - C) e - C n                              the lowest point: C = R a ball, C = 0 a disc

    rows 0, 1   t . (v_j(P) - v_i(P)) = 0        no g      t = x, y of the plane
    row 2       g = n . (P - p_i),               gdot = n . (v_j(P) - v_i(P))

gdot has this form because P is the lowest point of the wheel: n . dP is that of the material point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...core.checks import check
from ...core.quantities import Axis, Metres
from ...errors import AssemblyError
from ...kernel.algebra.spatial import angular, load6, velocity_at
from ...kernel.algebra.vec3 import add, cross, dot, load3, load9, rotate, scale, sub
from ...kernel.decorators import inline
from ...kernel.frames import unit_vector
from ...kernel.linalg import norm, product
from .contract import Constraint, Loads, arms, axes
from .moving_point import bias_at, pair_at

FLAT = 1e-6  # the least sine between axis and normal: a flat disc touches the plane all around

NEARLY_FLAT = 0.3  # the same near the end of a run that failed


@dataclass(frozen=True)
class Rolling(Constraint):
    r"""Wheel, disc or ball of the second marker that rolls without slipping on a plane.

    The plane belongs to the body of the first marker, which may move.

    Parameters
    ----------
    radius : float
        Radius of the wheel (m).
    crown : float, default 0.0
        Radius of the tread across the wheel (m), as of `kt.Wheel`: 0 for a thin disc, `radius` for
        a ball.
    axis : str or (3,) array_like, default "y"
        Axis of the wheel in the second marker, which is at its center: "x", "y", "z", "-x", "-y",
        "-z" or a vector of any length but zero.
    normal : str or (3,) array_like, default "z"
        Normal of the plane in the first marker, towards the wheel.

    See Also
    --------
    kt.KnifeEdge : Only the sideways slip is zero.
    kt.Wheel : Elastic wheel on a road.
    kt.Tyre : Wheel with slip forces.

    Notes
    -----
    The contact point P is the point of the wheel nearest to the plane:

    .. math::
        P = p_2 - (R - C)\, e - C\, n, \qquad e = \frac{n - (a \cdot n)\, a}{|n - (a \cdot n)\, a|},
        \qquad n \cdot (P - p_1) = 0, \qquad v_2(P) = v_1(P)

    :math:`p_1` is the position of the first marker, :math:`n` the `normal`, :math:`p_2` the center
    of the wheel, :math:`a` its `axis`, :math:`R` the `radius`, :math:`C` the `crown`, and
    :math:`v_1(P)`, :math:`v_2(P)` are the velocities of the two bodies at P. There are three
    equations. One holds for positions: the wheel touches the plane, from above and from below.
    Two are non-holonomic, they restrict velocities only: a ball can roll to every place and arrive
    there in every orientation. The channel `force` (N) acts on the wheel at P; its components are
    positive along x and y of the plane (x is the x axis of the first marker) and the normal. A
    wheel that needs a negative normal force would lift off, or slip where the tangential force
    exceeds the friction; this constraint allows neither. A disc that lies flat on the plane has no
    contact point and is refused.

    Examples
    --------
    A ball rolls down a slope of 0.1 rad with 5/7 of the acceleration of a block that slides.

    >>> import math
    >>> import kinetree as kt
    >>> model = kt.Model("ball", gravity=(9.81 * math.sin(0.1), 0, -9.81 * math.cos(0.1)))
    >>> ball = model.body("ball", kt.sphere(mass=0.5, radius=0.1), position=(0, 0, 0.1))
    >>> free = model.float(ball)
    >>> slope = model.constraint("slope", kt.Rolling(0.1, crown=0.1), model.ground, ball)
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['ball.acceleration.x'][0] / (9.81 * math.sin(0.1)):.4f}")
    0.7143
    """

    radius: Metres
    crown: Metres = 0.0
    axis: Axis = "y"
    normal: Axis = "z"

    kind = "rolling"
    markers = (2, 2)
    restricts_velocities = True
    look = "tread"

    def __post_init__(self) -> None:
        check(self, "radius", positive=True)
        check(self, "crown", at_least_zero=True)
        unit_vector(self.axis, "Rolling: axis")
        unit_vector(self.normal, "Rolling: normal")

    def lower(self, to, name, markers) -> None:
        p = to.between_markers("rolling", name, markers)
        (_, X_iF), (_, X_jM) = map(to.placed, markers)
        n, x = self.plane
        p["a_i"], p["a_j"] = product(X_iF.R, n), product(X_jM.R, unit_vector(self.axis, "Rolling"))
        p["length"], p["offset"] = self.radius, self.crown
        p["first"] = to.pool(product(X_iF.R, x))

    @property
    def plane(self) -> tuple[np.ndarray, np.ndarray]:
        """Normal and x direction of the plane in the first marker."""
        n = np.asarray(unit_vector(self.normal, "Rolling"), float)
        for start in np.eye(3):
            x = start - product(start, n) * n
            if norm(x) > 0.5:  # the x axis of the marker, or its y axis where x is the normal
                return n, x / norm(x)
        raise AssertionError

    def check_axes(self, a_1: np.ndarray, a_2: np.ndarray) -> None:
        """Raise an error for a disc that lies flat, given the normal and the axis."""
        if norm(np.cross(a_1, a_2)) < FLAT and self.crown != self.radius:
            raise AssemblyError(
                "the wheel lies flat on its plane and touches it all around, so that it has no "
                "contact point. Draw it with its axis inclined to the normal of the plane; the "
                f"axis is {self.axis!r} of the second marker, the normal {self.normal!r} of the "
                "first. A ball needs crown= equal to its radius."
            )

    def near_limit(self, a_1: np.ndarray, a_2: np.ndarray) -> str:
        if norm(np.cross(a_1, a_2)) > NEARLY_FLAT or self.crown == self.radius:
            return ""
        return "the wheel has fallen over: a disc that lies flat on its plane has no contact point."

    def loads(self, name: str) -> tuple[Loads, ...]:
        about = f"force of {name} on the wheel, along x and y of the plane and its normal"
        return (Loads("force", "N", about, 0),)


@inline
def direction(tables, p, k, bodies):
    """Direction of row k: x, y or the normal of the plane."""
    R, n, x = load9(bodies[p.i].R), load3(p.a_i), load3(tables.pool[p.first :])
    return rotate(R, x if k == 0 else (cross(n, x) if k == 1 else n))


@inline
def rim(p, n, a):
    """Vector from the center to the lowest point, its part R - C divided by s, and c, s."""
    c = dot(a, n)
    s = math.sqrt(max(1.0 - c * c, FLAT * FLAT))
    thin = (p.length - p.offset) / s
    r = add(scale(-thin, sub(n, scale(c, a))), scale(-p.offset, n))
    return r, thin, c, s


@inline
def lowest(p, bodies):
    """World position of the lowest point of the wheel."""
    n, a = axes(p, bodies)
    return add(arms(p, bodies)[1], rim(p, n, a)[0])


@inline
def value(tables, p, k, bodies, aims):
    if k < 2:
        return 0.0
    return dot(axes(p, bodies)[0], sub(lowest(p, bodies), arms(p, bodies)[0]))


@inline
def pair(tables, p, k, bodies, aims):
    return pair_at(p, bodies, lowest(p, bodies), direction(tables, p, k, bodies))


@inline
def bias(tables, p, k, bodies, aims):
    """With m = n - c a:  d(m / s) = mdot / s + (c cdot / s^3) m,  since s sdot = -c cdot."""
    n, a = axes(p, bodies)
    _, p_j, _, r_j = arms(p, bodies)
    r, thin, c, s = rim(p, n, a)
    w_i, V_j = angular(load6(bodies[p.i].V)), load6(bodies[p.j].V)
    nd, ad = cross(w_i, n), cross(angular(V_j), a)
    cd = dot(ad, n) + dot(a, nd)
    md = sub(nd, add(scale(cd, a), scale(c, ad)))
    turned = add(md, scale(c * cd / (s * s), sub(n, scale(c, a))))
    rd = sub(scale(-p.offset, nd), scale(thin, turned))
    e = direction(tables, p, k, bodies)
    return bias_at(p, bodies, add(p_j, r), add(velocity_at(V_j, r_j), rd), e, cross(w_i, e))
