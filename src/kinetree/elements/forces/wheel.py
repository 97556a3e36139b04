"""Wheel on a road as a rigid disc on a radial spring and damper, without slip forces: a road wheel,
a
roller.

    F x / |x| = sum of  F_k n_k  over the features of the road that the rim touches
                                 (elements/roads/contact.py)

Friction, if given, acts against the velocity u of the rim at the contact:
-mu F_k u / sqrt(u^2 + v0^2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.checks import check
from ...core.quantities import (
    Metres,
    MetresPerSecond,
    NewtonSecondsPerMetre,
    NewtonsPerMetre,
    Plain,
)
from ...errors import AssemblyError, ModelError, short
from ...kernel.algebra.spatial import angular, load6
from ...kernel.algebra.vec3 import add, column, cross, dot, scale, sub
from ...kernel.decorators import inline, kernel
from ...kernel.frames import Pose
from ..roads.contact import approach, press, rest, touch
from ..roads.planes import features, plane
from ..roads.road import FLAT, Road
from ..roads.spans import longest_step
from .contract import ZERO, Force, frame, point_motion, push

RADIUS, STIFFNESS, DAMPING, FADE, CROWN, FRICTION, SLOW, PROFILE, ROAD, SPANS = range(
    10
)  # numbers of a wheel in the pool


def check_road(road, what: str) -> Road:
    if not isinstance(road, Road):
        raise ModelError(f"{what}: road must be a kt.Road, got {short(road)}.")
    return road


def check_crown(roller: Any) -> None:
    """Check that the crown of a wheel or a tire lies between 0 and its radius."""
    check(roller, "crown")
    if not 0.0 <= roller.crown <= roller.radius:
        raise ModelError(
            f"{type(roller).__name__}: crown must lie between 0 and the radius {roller.radius!r}, "
            f"got {short(roller.crown)}."
        )


def check_on_road(road: Road, radius: float, pose: Pose) -> None:
    """Raise an error for a center below the road, which would make a very large contact force."""
    x, y, z = map(float, pose.p)
    under = float(road.surface(x, y)) - z
    if under > 0.0:
        raise AssemblyError(
            f"its centre starts {under:.4g} m under the road, at x = {x:.4g} m; the radius is "
            f"{radius:g} m. "
            "Raise the vehicle, or lower the road."
        )


def obstacle_deflections(road: Road) -> tuple[tuple[str, str], ...]:
    """Return labels of the depths in the obstacles, counted from one."""
    return tuple((f"deflection{k}", "m") for k in range(1, len(road.obstacles) + 1))


def obstacle_depth(label: str) -> str:
    """Return the meaning of such a label."""
    return f"depth of the rim in obstacle {label.removeprefix('deflection')}, negative outside it"


@dataclass(frozen=True)
class Wheel(Force):
    r"""Wheel on a road: rigid disc on a radial spring and damper, without slip forces.

    Parameters
    ----------
    radius : float
        Unloaded radius (m).
    stiffness : float
        Radial stiffness (N/m).
    damping : float, default 0.0
        Radial damping coefficient (N s/m).
    road : Road, default Road()
        Road under the wheel. By default flat ground at z = 0.
    fade : float, default 0.01
        Depth over which the damping grows from zero to its full value (m).
    crown : float, default 0.0
        Radius of the tread across the wheel (m): 0 for a thin disc, whose contact moves sideways as
        it leans, `radius` for a ball.
    friction : float, default 0.0
        Coefficient mu of Coulomb friction at the rim (1).
    slow : float, default 0.01
        Speed v0 at which friction reaches most of its value (m/s).

    See Also
    --------
    kt.Tyre : With slip forces.
    kt.Road : Profile and obstacles.

    Notes
    -----
    .. math::
        F = \max\Bigl(0,\; k\,d + c\,\dot d\,\min\bigl(d / d_{fade},\, 1\bigr)\Bigr), \qquad
        F_t = -\mu F\, \frac{u}{\sqrt{u^2 + v_0^2}}

    :math:`d` is the depth of the rim in the road (m), :math:`k` the `stiffness`, :math:`c` the
    `damping`, :math:`d_{fade}` the depth `fade`, :math:`\mu` the `friction`, :math:`u` the velocity
    of the rim at the contact and :math:`v_0` the speed `slow` (m/s). F acts on the wheel along the
    normal of the road (N), positive away from it and never negative; :math:`F_t` acts against u.
    The wheel axis is the y axis of the marker. The channels are `load` F and `deflection` d, which
    is negative above the road.

    Examples
    --------
    A wheel is pressed 10 mm into the road.

    >>> import kinetree as kt
    >>> model = kt.Model("wheel")
    >>> rotor = kt.rotor(inertia=1.0, along="y", mass=20.0)
    >>> wheel = model.body("wheel", rotor, position=(0, 0, 0.29))
    >>> free = model.float(wheel)
    >>> contact = model.force("contact", kt.Wheel(radius=0.3, stiffness=2e5), wheel)
    >>> sol = kt.simulate(model, until=1e-4)
    >>> print(f"{sol['contact.load'][0]:.1f} N")
    2000.0 N
    """

    radius: Metres
    stiffness: NewtonsPerMetre
    damping: NewtonSecondsPerMetre = 0.0
    road: Road = FLAT
    fade: Metres = 0.01
    crown: Metres = 0.0
    friction: Plain = 0.0
    slow: MetresPerSecond = 0.01

    kind = "wheel"
    markers = (1, 1)
    meanings = {
        "load": "normal force of the road on the wheel, never negative",
        "deflection": "depth of the rim in the ground, negative above it",
    }
    look = "roller"

    def __post_init__(self) -> None:
        check(self, "radius", "stiffness", "fade", "slow", positive=True)
        check(self, "damping", "friction", at_least_zero=True)
        check_crown(self)
        check_road(self.road, "Wheel")

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        return (("load", "N"), ("deflection", "m"), *obstacle_deflections(self.road))

    def meaning(self, label: str) -> str:
        return self.meanings.get(label) or obstacle_depth(label)

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        """Depths at which contact begins, on the ground and on each obstacle."""
        return tuple((label, 0.0) for label, _ in self.readings[1:])

    def check_place(self, poses: Sequence[Pose]) -> None:
        check_on_road(self.road, self.radius, poses[0])

    def lower(self, row, to) -> None:
        profile, road = self.road.lower(to)
        spans = self.road.spans(self.radius)
        row["count"], row["first"] = (
            len(spans),
            to.pool(
                [
                    self.radius,
                    self.stiffness,
                    self.damping,
                    self.fade,
                    self.crown,
                    self.friction,
                    self.slow,
                    profile,
                    road,
                    len(spans),
                    *np.ravel(spans),
                ]
            ),
        )


@inline
def heed_road(tables, work, n, first, p, v):
    """Limit the step so that no feature ahead is stepped over.

    `first` is the index of the spans in the pool, preceded by their number.
    """
    if n > 0.0:
        work.report[0].longest = min(
            work.report[0].longest, longest_step(tables.pool, first + 1, int(n), p[0], v[0])
        )


@inline
def hub_motion(marker, bodies):
    """Center, its velocity, angular velocity, and wheel axis."""
    p, v = point_motion(marker, bodies)
    return p, v, angular(load6(bodies[marker.body].V)), column(frame(marker, bodies), 1)


@inline
def friction(n, load, u, mu, slow):
    """Friction against the tangential part of u."""
    along = sub(u, scale(dot(u, n), n))
    return scale(-mu * load / math.sqrt(dot(along, along) + slow * slow), along)


@inline
def contact_at(tables, place, wheel, a, p, k, at):
    """Normal, depth and cosine of the camber of a rim at `at` in feature k, and the vector from the
    hub to
    the point of contact.
    """
    normal, height = plane(tables, place[0], place[1], k, at)
    depth, upright, r = touch(normal, height, a, wheel[0], wheel[1])
    return normal, depth, upright, add(sub(at, p), r)


@inline
def radial(tables, place, wheel, a, p, velocity, w, spring, touched):
    """F of the module, and its shares at the first and the second contact."""
    i, l_i, j, l_j, at = touched
    if i < 0:
        return 0.0, 0.0, 0.0
    normal, depth, _, r = contact_at(tables, place, wheel, a, p, i, at)
    if j < 0:
        return (
            press(l_i, approach(normal, velocity, w, r, depth), spring[0], spring[1], spring[2]),
            1.0,
            0.0,
        )
    other, deep, _, arm = contact_at(tables, place, wheel, a, p, j, at)
    size = math.sqrt(l_i * l_i + l_j * l_j + 2.0 * l_i * l_j * dot(normal, other))
    rate = (
        l_i * approach(normal, velocity, w, r, depth)
        + l_j * approach(other, velocity, w, arm, deep)
    ) / size
    return press(size, rate, spring[0], spring[1], spring[2]), l_i / size, l_j / size


@kernel
def apply(tables, work, force, t, q, v, x):
    marker, n = tables.markers[force.im], tables.pool[force.first :]
    p, velocity, w, a = hub_motion(marker, work.bodies)
    heed_road(tables, work, n[SPANS], force.first + SPANS, p, velocity)
    place, wheel = (int(n[PROFILE]), int(n[ROAD])), (n[RADIUS], n[CROWN])
    touched = rest(tables, place, wheel, a, p)
    load, share_i, share_j = radial(
        tables, place, wheel, a, p, velocity, w, (n[STIFFNESS], n[DAMPING], n[FADE]), touched
    )
    for k, share in ((touched[0], share_i), (touched[2], share_j)):
        if k >= 0:
            normal, _, _, r = contact_at(tables, place, wheel, a, p, k, touched[4])
            f = scale(share * load, normal)
            if n[FRICTION] > 0.0:
                f = add(
                    f,
                    friction(
                        normal, share * load, add(velocity, cross(w, r)), n[FRICTION], n[SLOW]
                    ),
                )
            push(marker, work.bodies, ZERO, f, add(p, r))


@kernel
def read(tables, work, force, t, q, v, x, out):
    marker, n = tables.markers[force.im], tables.pool[force.first :]
    p, velocity, w, a = hub_motion(marker, work.bodies)
    place, wheel = (int(n[PROFILE]), int(n[ROAD])), (n[RADIUS], n[CROWN])
    touched = rest(tables, place, wheel, a, p)
    out[0] = radial(
        tables, place, wheel, a, p, velocity, w, (n[STIFFNESS], n[DAMPING], n[FADE]), touched
    )[0]
    read_depths(tables, place, wheel, a, p, out, 1)


@inline
def read_depths(tables, place, wheel, a, p, out, first):
    """Depth of the undeformed wheel in the ground and in each obstacle; a bound for distant
    obstacles.
    """
    for k in range(features(tables, place[1])):
        out[first + k] = max(contact_at(tables, place, wheel, a, p, k, p)[1], -wheel[0])


@kernel
def energy(tables, work, force, t, q, x):
    marker, n = tables.markers[force.im], tables.pool[force.first :]
    return contact_energy(
        tables,
        (int(n[PROFILE]), int(n[ROAD])),
        (n[RADIUS], n[CROWN]),
        marker,
        work.bodies,
        n[STIFFNESS],
    )


@inline
def contact_energy(tables, place, wheel, marker, bodies, stiffness):
    """k |x|^2 / 2."""
    p, a = point_motion(marker, bodies)[0], column(frame(marker, bodies), 1)
    i, l_i, j, _, at = rest(tables, place, wheel, a, p)
    way = sub(at, p)
    return 0.5 * stiffness * (dot(way, way) if j >= 0 else l_i * l_i if i >= 0 else 0.0)
