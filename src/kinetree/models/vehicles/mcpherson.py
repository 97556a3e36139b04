"""A McPherson corner: lower arm, knuckle with the strut tube, piston rod, tie rod and wheel; one
degree of freedom besides the wheel rotation.

The arm is hinged to the chassis, the knuckle to the arm by a ball joint; the rod slides in the
tube, and a ball joint connects it to the chassis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import kinetree as kt

from ...kernel.linalg import norm
from .hard_points import Part, Point, Rod, Side, Strut, Wheel, add_spring, add_wheel, joined, placed
from .steering import add_tie_rod


@dataclass(frozen=True)
class McPherson:
    """Hard points and parts of a McPherson corner, drawn for the left side.

    Parameters
    ----------
    arm_front : (float, float, float)
        Front hinge point of the lower arm on the chassis (m).
    arm_rear : (float, float, float)
        Rear hinge point of the lower arm on the chassis (m).
    ball : (float, float, float)
        Ball joint between the arm and the knuckle (m).
    arm_centre : (float, float, float)
        Mass center of the arm (m).
    knuckle_centre : (float, float, float)
        Mass center of the knuckle without the strut tube (m).
    wheel : (float, float, float)
        Center of the wheel (m).
    strut_top : (float, float, float)
        Ball joint of the piston rod on the chassis (m).
    strut_low : (float, float, float)
        Lower end of the strut, on the knuckle (m).
    tie_inner : (float, float, float)
        Joint of the tie rod on the rack or on the chassis (m).
    tie_outer : (float, float, float)
        Joint of the tie rod on the knuckle (m).
    arm : Part
        Mass (kg) and moments of inertia (kg m^2) of the arm.
    knuckle : Part
        Mass (kg) and moments of inertia (kg m^2) of the knuckle without the tube.
    tube : Rod
        Mass (kg) and moments of inertia (kg m^2) of the strut tube, which is fixed to the knuckle.
    rod : Rod
        Mass (kg) and moments of inertia (kg m^2) of the piston rod.
    tie : Rod
        Mass (kg) and moments of inertia (kg m^2) of the tie rod.
    strut : Strut
        Spring and damper along the strut.
    tube_up : float, default 0.15
        Distance of the mass center of the tube above the lower end of the strut (m).
    rod_down : float, default 0.15
        Distance of the mass center of the piston rod below the upper end of the strut (m).

    See Also
    --------
    kinetree.models.vehicles.add_mcpherson : Add the corner to a model.
    kinetree.models.vehicles.DoubleWishbone : Corner with an upper arm.

    Notes
    -----
    The axes follow ISO 8855: x forward, y left, z up. The corner has one degree of freedom besides
    the rotation of the wheel.
    """

    arm_front: Point
    arm_rear: Point
    ball: Point
    arm_centre: Point
    knuckle_centre: Point
    wheel: Point
    strut_top: Point
    strut_low: Point
    tie_inner: Point
    tie_outer: Point
    arm: Part
    knuckle: Part
    tube: Rod
    rod: Rod
    tie: Rod
    strut: Strut
    tube_up: float = 0.15
    rod_down: float = 0.15


def add_mcpherson(m: kt.Model, chassis, rack, side: Side, corner: McPherson, wheel: Wheel):
    """Add a McPherson corner to a model.

    The bodies are "arm FL", "knuckle FL", "strut FL" (the piston rod), "tie FL" and "wheel FL". The
    joints are "arm hinge FL", "ball FL", "strut slide FL", "strut top FL", "tie inner FL",
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
    corner : McPherson
        Hard points and parts.
    wheel : kinetree.models.vehicles.Wheel
        The wheel with its tire.

    Returns
    -------
    kt.Body
        The knuckle.
    """
    p = placed(corner, side)
    u = p["strut_top"] - p["strut_low"]
    u /= norm(u)
    arm = _arm(m, side, corner, p)
    knuckle = _knuckle(m, side, corner, p, u)
    rod = m.body(
        f"strut {side.name}",
        kt.mass(corner.rod.mass, corner.rod.inertia(u)),
        velocity=side.velocity,
        position=p["strut_top"] - corner.rod_down * u,
        look=kt.look.Cylinder(-0.2 * u, corner.rod_down * u, 0.014, paint="chrome"),
    )
    m.joint(
        f"arm hinge {side.name}",
        kt.Revolute(),
        chassis,
        arm,
        at=0.5 * (p["arm_front"] + p["arm_rear"]),
        axis=tuple(p["arm_front"] - p["arm_rear"]),
    )
    m.joint(f"ball {side.name}", kt.Spherical(), arm, knuckle, at=p["ball"])
    m.joint(
        f"strut slide {side.name}",
        kt.Translational(),
        knuckle,
        rod,
        at=p["strut_low"],
        axis=tuple(u),
    )
    m.joint(f"strut top {side.name}", kt.Spherical(), rod, chassis, at=p["strut_top"])
    add_tie_rod(m, rack, knuckle, side, corner.tie_inner, corner.tie_outer, corner.tie)
    add_spring(
        m, f"spring {side.name}", corner.strut, (knuckle, p["strut_low"]), (chassis, p["strut_top"])
    )
    add_wheel(m, knuckle, side, wheel, p["wheel"])
    return knuckle


def _arm(m: kt.Model, side: Side, corner: McPherson, p: dict[str, np.ndarray]):
    c = p["arm_centre"]
    look = [
        kt.look.Cylinder(p[end] - c, p["ball"] - c, 0.016, paint="steel")
        for end in ("arm_front", "arm_rear")
    ]
    return m.body(
        f"arm {side.name}", kt.mass(*corner.arm), position=c, velocity=side.velocity, look=look
    )


def _knuckle(m: kt.Model, side: Side, corner: McPherson, p: dict[str, np.ndarray], u: np.ndarray):
    """The upright and the tube on it as one body."""
    mass, centre, inertia = joined(
        (corner.knuckle.mass, p["knuckle_centre"], np.diag(corner.knuckle.inertia)),
        (corner.tube.mass, p["strut_low"] + corner.tube_up * u, corner.tube.inertia(u)),
    )
    look = [
        kt.look.Cylinder(p[a] - centre, p[b] - centre, r, paint="dark")
        for a, b, r in (
            ("ball", "strut_low", 0.02),
            ("knuckle_centre", "tie_outer", 0.014),
            ("knuckle_centre", "wheel", 0.03),
        )
    ]
    low = p["strut_low"] - centre
    look.append(kt.look.Cylinder(low, low + 2.0 * corner.tube_up * u, 0.026, paint="grey"))
    return m.body(
        f"knuckle {side.name}",
        kt.mass(mass, inertia),
        position=centre,
        velocity=side.velocity,
        look=look,
    )
