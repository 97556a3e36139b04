"""Cam with a roller, flat or curved follower, by an equation of user code (profiles.py).

r = R_a^T (p_b - p_a),  e = R_a^T y_b                   the follower in the frame of the cam
roller    g = distance of r from the profile - radius
flat      g = r.e - max_u c(u).e
curved    g = gap of both profiles where their tangents are parallel
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...core.checks import check
from ...core.quantities import Matrix, Metres
from ...errors import ModelError, short
from .contract import Constraint, Effort
from .profiles import curve_place, foot, normal_gap, profile_numbers, support, touch
from .user_constraint import UserConstraint

CURVE = 1  # first parameter of a profile, after the radius


def in_cam(a, b):
    """Origin and y axis of marker b in the xy plane of marker a."""
    x, y, e_x, e_y = (
        0.0 * a.position[0],
        0.0 * a.position[0],
        0.0 * a.position[0],
        0.0 * a.position[0],
    )
    for k in range(3):
        r = b.position[k] - a.position[k]
        x += a.rotation[k, 0] * r
        y += a.rotation[k, 1] * r
        e_x += a.rotation[k, 0] * b.rotation[k, 1]
        e_y += a.rotation[k, 1] * b.rotation[k, 1]
    return x, y, e_x, e_y


def roller(t, a, b, p):
    x, y, _, _ = in_cam(a, b)
    return normal_gap(p, CURVE, foot(p, CURVE, x, y), x, y) - p[0]


def flat(t, a, b, p):
    x, y, e_x, e_y = in_cam(a, b)
    c_x, c_y = curve_place(p, CURVE, support(p, CURVE, e_x, e_y))
    return (x - c_x) * e_x + (y - c_y) * e_y


def curved(t, a, b, p):
    x, y, e_x, e_y = in_cam(a, b)
    return touch(p, CURVE, int(p[0]), (x, y, e_y, -e_x))


FUNCTIONS = {"roller": roller, "flat": flat, "curve": curved}


@dataclass(frozen=True)
class CamFollower(Constraint):
    r"""Cam of the first marker that keeps a follower of the second marker in contact.

    Parameters
    ----------
    points : (n, 2) array_like
        Points of the closed profile in the xy plane of the first marker (m). A periodic cubic
        spline passes through them.
    follower : {"roller", "flat", "curve"}, default "roller"
        Follower: a circle about the second marker, a straight face through it, or another profile.
    radius : float, default 0.0
        Radius of the roller (m); 0 for a knife edge.
    shape : (n, 2) array_like, optional
        Points of the closed profile of a curved follower in the xy plane of the second marker (m).

    See Also
    --------
    kt.UserConstraint : Other curves and surfaces.
    kt.PointOnCurve : Point on a curve in space.
    kt.Contact : Contact that can open.

    Notes
    -----
    .. math::
        g = (p_2 - c(u)) \cdot n(u) - r = 0, \qquad (p_2 - c(u)) \cdot c'(u) = 0

    :math:`c(u)` is the profile, :math:`n(u)` its outward normal, :math:`p_2` the second marker in
    the frame of the first and :math:`r` the `radius`. The z axes of both markers must be
    perpendicular to the plane of the cam. The face of a flat follower contains the x axis of the
    second marker, whose y axis points away from the cam; the cam must then be convex. A curved
    follower touches where both tangents are parallel. The follower may move in any way: along a
    guide, or about an axis (oscillating follower). The constraint also pulls; a follower that can
    lift off is held by a negative channel `force` (N), which is positive where cam and follower
    press against each other. The lift has two continuous derivatives, and the third one jumps at
    the points.

    Examples
    --------
    An eccentric disc of radius 30 mm lifts a flat follower by 10 mm and lowers it again.

    >>> import numpy as np
    >>> import kinetree as kt
    >>> angle = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    >>> disc = np.column_stack([0.03 * np.cos(angle) + 0.01, 0.03 * np.sin(angle)])
    >>> model = kt.Model("cam", gravity=(0, -9.81, 0))
    >>> cam = model.body("cam", kt.rotor(inertia=1e-4))
    >>> tappet = model.body("tappet", kt.box(0.1, (0.05, 0.01, 0.02)))
    >>> shaft = model.joint("shaft", kt.Revolute(axis="z"), model.ground, cam)
    >>> guide = model.joint("guide", kt.Translational(axis="y"), model.ground, tappet,
    ...                     start={"displacement": 0.03})
    >>> motor = model.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(2 * np.pi)))
    >>> pair = model.constraint("pair", kt.CamFollower(disc, "flat"), cam, tappet)
    >>> lift = kt.simulate(model, until=1.0)["guide.displacement"]
    >>> print(f"{1000 * lift.min():.2f} mm to {1000 * lift.max():.2f} mm")
    20.00 mm to 40.00 mm
    """

    points: Matrix
    follower: Literal["roller", "flat", "curve"] = "roller"
    radius: Metres = 0.0
    shape: Matrix | None = None

    kind = "cam-follower"
    markers = (2, 2)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", _plane(self.points, "points"))
        if not isinstance(self.follower, str) or self.follower not in FUNCTIONS:
            raise ModelError(
                f"CamFollower: follower must be 'roller', 'flat' or 'curve', got {short(self.follower)}."
            )
        check(self, "radius", at_least_zero=True)
        if (self.shape is not None) != (self.follower == "curve"):
            raise ModelError(
                "CamFollower: shape= has the points of a curved follower; give it together with "
                f"follower='curve', got follower={self.follower!r}."
            )
        if self.shape is not None:
            object.__setattr__(self, "shape", _plane(self.shape, "shape"))
        profile_numbers(np.array(self.points), "CamFollower: points")

    @property
    def equation(self) -> UserConstraint:
        """The equation with its numbers."""
        curve = profile_numbers(np.array(self.points), "CamFollower: points")
        if self.shape is None:
            return UserConstraint(FUNCTIONS[self.follower], (self.radius, *curve))
        other = profile_numbers(np.array(self.shape), "CamFollower: shape")
        return UserConstraint(curved, (float(CURVE + len(curve)), *curve, *other))

    def mirrored(self, S: np.ndarray) -> CamFollower:
        raise ModelError(
            "a cam follower cannot be mirrored; give it in the file that uses the assembly."
        )

    def lower(self, to, name, markers) -> None:
        self.equation.lower(to, name, markers)

    def effort(self, name: str, units: tuple[str, ...]) -> Effort:
        return Effort("N", f"normal force of {name}, positive where cam and follower press")


def _plane(points, what: str) -> tuple[tuple[float, float], ...]:
    try:
        found = np.array([[float(x) for x in point] for point in points])
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim != 2 or found.shape[1] != 2 or not np.isfinite(found).all():
        raise ModelError(
            f"CamFollower: {what} must be a list of points (x, y) in the plane of the cam, got "
            f"{short(points)}."
        )
    return tuple((float(x), float(y)) for x, y in found)
