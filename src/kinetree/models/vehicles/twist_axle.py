"""A twist axle: two trailing arms on ball joints and a beam that twists between them; two degrees
of freedom, heave and roll, besides the wheel rotations.

The beam is a cylindrical joint with a spring on its angle. With a hinge in its place the axle would
lock: two bodies on two ball joints with a hinge between them can twist at a single position only
(erratum E-10).
"""

from __future__ import annotations

from dataclasses import dataclass

import kinetree as kt

from .hard_points import Part, Point, Side, Strut, Wheel, add_spring, add_wheel


@dataclass(frozen=True)
class TwistAxle:
    """Hard points of the left side (m), half of the axle, its spring, and the stiffness of the beam
    (N m/rad).
    """

    pivot: Point
    beam: Point  # a point of the beam axis, which is lateral
    wheel: Point
    centre: Point  # mass center of one half
    spring_low: Point
    spring_top: Point
    half: Part
    strut: Strut
    twist: float


def add_twist_axle(
    m: kt.Model, chassis, sides: tuple[Side, Side], axle: TwistAxle, wheel: Wheel
) -> None:
    """Add "axle RL", "axle RR", "beam", "twist", springs and wheels."""
    halves = [_half(m, chassis, side, axle, wheel) for side in sides]
    m.joint(
        "beam",
        kt.Cylindrical(),
        *halves,
        at=sides[0].at((axle.beam[0], 0.0, axle.beam[2])),
        axis="y",
    )
    m.force("twist", kt.TorsionSpring("beam.angle", stiffness=axle.twist))


def _half(m: kt.Model, chassis, side: Side, axle: TwistAxle, wheel: Wheel):
    pivot, centre, hub = side.at(axle.pivot), side.at(axle.centre), side.at(axle.wheel)
    middle = side.at((axle.beam[0], 0.0, axle.beam[2]))
    foot = side.at((axle.beam[0], axle.pivot[1], axle.beam[2]))
    look = [
        kt.look.Cylinder(a - centre, b - centre, r, paint="dark")
        for a, b, r in ((pivot, foot, 0.025), (foot, hub, 0.025), (foot, middle, 0.03))
    ]
    body = m.body(
        f"axle {side.name}", kt.mass(*axle.half), position=centre, velocity=side.velocity, look=look
    )
    m.joint(f"axle pivot {side.name}", kt.Spherical(), chassis, body, at=pivot)
    add_spring(
        m,
        f"spring {side.name}",
        axle.strut,
        (body, side.at(axle.spring_low)),
        (chassis, side.at(axle.spring_top)),
    )
    add_wheel(m, body, side, wheel, hub)
    return body
