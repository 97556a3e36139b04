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
    """Hard points of the left side (m), parts and spring; an unsteered axle has its tie rods on the
    chassis.
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
    spring_low: Point  # on the lower arm
    spring_top: Point
    arm: Part
    knuckle: Part
    tie: Rod
    strut: Strut


def add_double_wishbone(
    m: kt.Model, chassis, rack, side: Side, corner: DoubleWishbone, wheel: Wheel
):
    """Add "lower arm FL", "upper arm FL", "knuckle FL", "tie FL", "wheel FL" and their joints;
    return the knuckle.

    `rack` is the body at the inner end of the tie rod: a rack, or the chassis of an unsteered axle.
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
