"""A double wishbone corner: lower and upper arm, knuckle, tie rod and wheel; one degree of freedom
besides the wheel rotation.

Both arms are hinged to the chassis, and the knuckle to them by ball joints; spring and damper act
between the lower arm and the chassis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import kinetree as kt

from .hard_points import Part, Point, Rod, Side, Strut, Wheel, add_spring, add_wheel, placed
from .steering import add_tie_rod


@dataclass(frozen=True)
class DoubleWishbone:
    """Hard points and parts of a double wishbone corner, drawn for the left side.

    An unsteered axle has its tie rods on the chassis.

    Parameters
    ----------
    lower_front : (float, float, float)
        Front hinge point of the lower arm on the chassis (m).
    lower_rear : (float, float, float)
        Rear hinge point of the lower arm on the chassis (m).
    lower_ball : (float, float, float)
        Ball joint between the lower arm and the knuckle (m).
    upper_front : (float, float, float)
        Front hinge point of the upper arm on the chassis (m).
    upper_rear : (float, float, float)
        Rear hinge point of the upper arm on the chassis (m).
    upper_ball : (float, float, float)
        Ball joint between the upper arm and the knuckle (m).
    wheel : (float, float, float)
        Center of the wheel (m).
    tie_inner : (float, float, float)
        Joint of the tie rod on the rack or on the chassis (m).
    tie_outer : (float, float, float)
        Joint of the tie rod on the knuckle (m).
    spring_low : (float, float, float)
        Lower end of spring and damper, on the lower arm (m).
    spring_top : (float, float, float)
        Upper end of spring and damper, on the chassis (m).
    arm : Part
        Mass (kg) and moments of inertia (kg m^2) of each arm.
    knuckle : Part
        Mass (kg) and moments of inertia (kg m^2) of the knuckle.
    tie : Rod
        Mass (kg) and moments of inertia (kg m^2) of the tie rod.
    strut : Strut
        Spring and damper.

    See Also
    --------
    kinetree.models.vehicles.add_double_wishbone : Add the corner to a model.
    kinetree.models.vehicles.McPherson : Corner with a strut in place of the upper arm.

    Notes
    -----
    The axes follow ISO 8855: x forward, y left, z up. The corner has one degree of freedom besides
    the rotation of the wheel. Its mass centers are the middles of the hard points of each part.

    Examples
    --------
    >>> from kinetree.models.vehicles import DoubleWishbone, Part, Rod, Strut
    >>> corner = DoubleWishbone(
    ...     lower_front=(0.15, 0.35, 0.22), lower_rear=(-0.15, 0.35, 0.22),
    ...     lower_ball=(0.0, 0.70, 0.20), upper_front=(0.12, 0.42, 0.48),
    ...     upper_rear=(-0.12, 0.42, 0.48), upper_ball=(-0.02, 0.66, 0.50),
    ...     wheel=(0.0, 0.76, 0.32), tie_inner=(0.12, 0.38, 0.26), tie_outer=(0.12, 0.70, 0.25),
    ...     spring_low=(0.0, 0.55, 0.22), spring_top=(0.0, 0.48, 0.65),
    ...     arm=Part(4.0, (0.06, 0.06, 0.1)), knuckle=Part(12.0, (0.1, 0.1, 0.1)),
    ...     tie=Rod(0.6, 5e-3, 1e-4), strut=Strut(30e3, 2.5e3, 5e3),
    ... )
    >>> corner.wheel
    (0.0, 0.76, 0.32)
    """

    lower_front: Point
    lower_rear: Point
    lower_ball: Point
    upper_front: Point
    upper_rear: Point
    upper_ball: Point
    wheel: Point
    tie_inner: Point
    tie_outer: Point
    spring_low: Point
    spring_top: Point
    arm: Part
    knuckle: Part
    tie: Rod
    strut: Strut


def add_double_wishbone(
    m: kt.Model, chassis, rack, side: Side, corner: DoubleWishbone, wheel: Wheel
):
    """Add a double wishbone corner to a model.

    The bodies are "lower arm FL", "upper arm FL", "knuckle FL", "tie FL" and "wheel FL". The joints
    are "lower hinge FL", "upper hinge FL", "lower ball FL", "upper ball FL", "tie inner FL",
    "tie outer FL" and "hub FL". The forces are "spring FL" and "tyre FL".

    Parameters
    ----------
    m : kt.Model
        The model.
    chassis : kt.Body
        The chassis.
    rack : kt.Body
        Body at the inner end of the tie rod: a rack, or the chassis of an unsteered axle.
    side : Side
        Side of the vehicle, with the name of the wheel and the initial speed (m/s).
    corner : DoubleWishbone
        Hard points and parts.
    wheel : kinetree.models.vehicles.Wheel
        The wheel with its tire.

    Returns
    -------
    kt.Body
        The knuckle.

    See Also
    --------
    kinetree.models.vehicles.add_rack : Rack that steers the tie rods.
    """
    p = placed(corner, side)
    centre = (p["lower_ball"] + p["upper_ball"] + p["wheel"]) / 3.0
    look = [
        kt.look.Cylinder(p[a] - centre, p[b] - centre, 0.02, paint="dark")
        for a, b in (
            ("lower_ball", "upper_ball"),
            ("wheel", "lower_ball"),
            ("wheel", "upper_ball"),
            ("wheel", "tie_outer"),
        )
    ]
    knuckle = m.body(
        f"knuckle {side.name}",
        kt.mass(*corner.knuckle),
        position=centre,
        velocity=side.velocity,
        look=look,
    )
    lower = _arm(m, chassis, knuckle, side, "lower", corner.arm, p)
    _arm(m, chassis, knuckle, side, "upper", corner.arm, p)
    add_tie_rod(m, rack, knuckle, side, corner.tie_inner, corner.tie_outer, corner.tie)
    add_spring(
        m, f"spring {side.name}", corner.strut, (lower, p["spring_low"]), (chassis, p["spring_top"])
    )
    add_wheel(m, knuckle, side, wheel, p["wheel"])
    return knuckle


def _arm(
    m: kt.Model, chassis, knuckle, side: Side, which: str, part: Part, p: dict[str, np.ndarray]
):
    a, b, ball = p[f"{which}_front"], p[f"{which}_rear"], p[f"{which}_ball"]
    centre = (a + b + ball) / 3.0
    look = [kt.look.Cylinder(end - centre, ball - centre, 0.015, paint="steel") for end in (a, b)]
    arm = m.body(
        f"{which} arm {side.name}",
        kt.mass(*part),
        position=centre,
        velocity=side.velocity,
        look=look,
    )
    m.joint(
        f"{which} hinge {side.name}",
        kt.Revolute(),
        chassis,
        arm,
        at=0.5 * (a + b),
        axis=tuple(a - b),
    )
    m.joint(f"{which} ball {side.name}", kt.Spherical(), arm, knuckle, at=ball)
    return arm
