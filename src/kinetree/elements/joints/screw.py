"""Screw joint: the child advances along the z axis of F by `pitch` meters in each turn about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...core.checks import check
from ...core.quantities import Metres
from ...kernel.algebra.spatial import join, store6
from ...kernel.algebra.vec3 import add, column, cross, scale, turn_z
from ...kernel.decorators import inline
from ...kernel.mathematics import atan2
from .contract import ABOUT_X, AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


class Advance(NamedTuple):
    """Cut equation of a screw: the displacement along z follows the angle about z."""

    def lower(self, to, place) -> None:
        name = place.spec.name
        travel = to.frame_sensor(place, "travel", "slide_z")
        to.relation(name, (travel, 1.0), (to.sensor(f"{name}.angle"), -place.spec.joint.advance))


@dataclass(frozen=True)
class Screw(AxisJoint):
    r"""Screw joint: one rotation about an axis, with a proportional advance along it.

    Parameters
    ----------
    axis : str or (3,) array_like, default 'z'
        Axis of the screw: "x", "y", "z", "-x", "-y", "-z" or a vector of any length but zero. It is
        given in the axes of both markers, or in world axes where the joint is placed by `at`.
    pitch : float, default 0.0
        Advance of the child along the axis in one turn (m). A negative pitch is a left-handed
        thread.

    Attributes
    ----------
    labels : tuple of str
        The coordinate: `angle` (rad).

    See Also
    --------
    kt.Cylindrical : Rotation and translation independent of each other.
    kt.RackAndPinion : Rotation and translation of two joints.

    Notes
    -----
    The axis is the z axis of frame F on the parent and of frame M on the child:

    .. math::
        R_{FM} = R_z(q), \qquad p_{FM} = \frac{p\,q}{2\pi}\,e_z

    :math:`q` is the coordinate `angle` (rad), positive by the right-hand rule about the axis, seen
    from the parent, and :math:`p` is the `pitch` (m). With a positive pitch (right-handed thread)
    the child advances along the axis when the angle grows. Where a loop is cut at the joint there
    are five equations.

    Examples
    --------
    Two turns of a nut with a pitch of 4 mm.

    >>> import math
    >>> import kinetree as kt
    >>> model = kt.Model("screw")
    >>> nut = model.body("nut", kt.cylinder(mass=0.1, radius=0.02, length=0.02, along="z"))
    >>> screw = kt.Screw(axis="z", pitch=4e-3)
    >>> thread = model.joint("S", screw, model.ground, nut, start={"angle": 4.0 * math.pi})
    >>> sol = kt.simulate(model, until=0.01)
    >>> print(f"{sol['nut.position.z'][0]:.3f} m")
    0.008 m
    """

    pitch: Metres = 0.0

    kind = "screw"
    coordinates = {"angle": "turn_z"}
    meanings = {
        "angle": "turn of the child about the axis, seen from the parent; its advance is pitch / 2 pi times this",
    }
    reversal = Reversal(ABOUT_X, (0,))
    weight = 1.6
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), InPlane(X), InPlane(Y), Advance())
    parallel = (Z,)
    look = ("thread", "nut")

    def __post_init__(self) -> None:
        check(self, "pitch")

    def mirrored(self) -> Screw:
        """Return the joint in a mirror: left-handed if it was right-handed."""
        return replace(self, pitch=-self.pitch)

    @classmethod
    def examples(cls):
        return cls(pitch=0.7), cls(pitch=-0.3), cls()

    def offset(self, q):
        return 0.0, 0.0, self.pitch * q[0] / (2.0 * math.pi)

    @property
    def advance(self) -> float:
        """Advance per radian (m/rad)."""
        return self.pitch / (2.0 * math.pi)

    def measure(self, R_FM, p_FM):
        """Return the angle; the displacement determines the number of full turns."""
        angle = atan2(R_FM[1, 0], R_FM[0, 0])
        return [
            angle + 2.0 * math.pi * round((p_FM[2] / self.advance - angle) / (2.0 * math.pi))
            if self.pitch
            else angle
        ]


@inline
def move(tables, link, q, R_WF, p_WF):
    angle = q[link.iq]
    return turn_z(R_WF, angle), add(p_WF, scale(link.advance * angle, column(R_WF, 2)))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    a = column(R_WF, 2)
    store6(dofs[link.iv].h, join(a, add(cross(r_F, a), scale(link.advance, a))))
