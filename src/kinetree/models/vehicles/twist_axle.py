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
    """Hard points and parts of a twist axle, drawn for the left side.

    Parameters
    ----------
    pivot : (float, float, float)
        Ball joint of the trailing arm on the chassis (m).
    beam : (float, float, float)
        A point of the beam, whose axis is lateral (m).
    wheel : (float, float, float)
        Center of the wheel (m).
    centre : (float, float, float)
        Mass center of one half of the axle (m).
    spring_low : (float, float, float)
        Lower end of spring and damper, on the axle (m).
    spring_top : (float, float, float)
        Upper end of spring and damper, on the chassis (m).
    half : Part
        Mass (kg) and moments of inertia (kg m^2) of one half of the axle.
    strut : Strut
        Spring and damper.
    twist : float
        Torsional stiffness of the beam (N m/rad).

    See Also
    --------
    kinetree.models.vehicles.add_twist_axle : Add the axle to a model.

    Notes
    -----
    The axle has two degrees of freedom, heave and roll, besides the rotations of the wheels.
    """

    pivot: Point
    beam: Point
    wheel: Point
    centre: Point
    spring_low: Point
    spring_top: Point
    half: Part
    strut: Strut
    twist: float


def add_twist_axle(
    m: kt.Model, chassis, sides: tuple[Side, Side], axle: TwistAxle, wheel: Wheel
) -> None:
    """Add a twist axle to a model.

    The bodies are "axle RL", "axle RR", "wheel RL" and "wheel RR". The joints are "axle pivot RL",
    "axle pivot RR", "beam", "hub RL" and "hub RR". The forces are "twist", "spring RL",
    "spring RR", "tyre RL" and "tyre RR".

    Parameters
    ----------
    m : kt.Model
        The model.
    chassis : kt.Body
        The chassis.
    sides : tuple of Side
        Left and right side of the axle.
    axle : TwistAxle
        Hard points and parts.
    wheel : kinetree.models.vehicles.Wheel
        The wheel with its tire, used on both sides.
    """
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
