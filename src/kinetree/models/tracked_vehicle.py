"""The tracked vehicle of [Lee1994, sec. 7.1]: a hull on twelve road arms, driven over a half-round
bump.

Thirteen bodies, twelve hinges, six torsion bars and six hydropneumatic units. The paper states only
the speed, the bump and the seat. Six bars and six units on twelve arms is the running gear of the
Korean K1 tank, whose mass and size are public. The rest is proposed so that the vehicle stands
level and passes the bump within its stops.

World axes: x forward, y left, z up. Hull axes: x' right, y' forward, z' up, in which the paper
gives the seat.
"""

from __future__ import annotations

import math
from typing import Any

import kinetree as kt

from .units import INCH
from .vehicles.road_arm import RoadArm, add_road_arm

HULL, HEIGHT = 46500.0, 1.15  # kg, m of its center above ground [proposed]
INERTIA = (236e3, 70e3, 267e3)  # kg m^2 about x' (pitch), y' (roll), z' (yaw) [proposed]
# [proposed]
ARM = RoadArm(
    length=0.406,
    drop=math.radians(22.0),
    mass=380.0,
    com=0.30,
    inertia=(8.0, 10.8, 12.0),
    radius=0.318,
    stiffness=3e6,
    damping=30e3,
)
# m: wheels relative to the center of the hull [proposed]
STATIONS = (2.15, 1.29, 0.43, -0.43, -1.29, -2.15)
HALF_GAUGE = 1.475
# stations with hydropneumatic units, as on the K1; the others have torsion bars [sourced: public data]
UNITS = (
    1,
    2,
    6,
)
BAR = 42700.0  # N m/rad [proposed]
# [proposed]
UNIT: dict[str, Any] = {
    "bore": 0.100,
    "lever": 0.15,
    "volume": 1e-3,
    "exponent": 1.3,
    "damping": 6e3,
    "limit": 2e4,
}
STOP, STOP_STIFFNESS = 0.60, 5e5  # rad, N m/rad [proposed]
# m/s, m, m ahead of the center of the hull [stated: Lee1994]
SPEED = 11.0
BUMP = 10.0 * INCH
BUMP_AT = 20.8
SEAT = (-0.2, 1.3, 0.1)  # m, in hull axes [stated: Lee1994]
# m: idler and sprocket ahead of, behind and above the center of the hull [proposed]
ENDS = 3.0
END_HEIGHT = -0.5
GRAVITY = 9.81
LOAD = (HULL / 12.0 + ARM.mass) * GRAVITY  # N on each wheel
TORQUE = ARM.static_torque(LOAD)  # N m of each suspension as drawn


def tracked_vehicle(
    speed: float = SPEED, bump: bool = True, track: kt.TrackBand | None = None
) -> kt.Model:
    """The vehicle on its wheels at a speed (m/s), ahead of the bump or on flat ground, with track
    bands if they are given.
    """
    road = kt.Road(obstacles=[kt.roads.HalfRound(BUMP_AT, BUMP)] if bump else ())
    m = kt.Model("tracked-vehicle", gravity=(0, 0, -GRAVITY))
    velocity = (speed, 0.0, 0.0)
    hull = m.body(
        "hull",
        kt.mass(HULL, INERTIA),
        position=(0, 0, HEIGHT),
        rotation=[[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
        velocity=velocity,
        points={"seat": SEAT},
        look=_hull(),
    )
    m.float(hull)
    for side, y in (("L", HALF_GAUGE), ("R", -HALF_GAUGE)):
        for k, x in enumerate(STATIONS, 1):
            name = f"{side}{k}"
            add_road_arm(
                m,
                hull,
                name,
                (x, y, ARM.radius - LOAD / ARM.stiffness),
                ARM,
                road,
                velocity=velocity,
            )
            m.force(f"spring {name}", _suspension(f"pivot {name}.angle", k))
            m.force(f"stop {name}", kt.BumpStop(f"pivot {name}.angle", STOP, STOP_STIFFNESS))
        if track is not None:
            wheels = [m.bodies[f"arm {side}{k}"].point("wheel") for k in range(1, 7)]
            m.force(
                f"track {side}",
                track,
                hull.at(-y, ENDS, END_HEIGHT),
                *wheels,
                hull.at(-y, -ENDS, END_HEIGHT),
            )
    return m


def _suspension(coordinate: str, station: int):
    if station in UNITS:
        return kt.HydropneumaticUnit(coordinate, TORQUE, **UNIT)
    return kt.TorsionSpring(coordinate, stiffness=BAR, angle=-TORQUE / BAR)


def _hull() -> tuple:
    """Shapes in hull axes: a low box with a sloping nose, a turret and a gun."""
    Box, Cylinder, Plate = kt.look.Box, kt.look.Cylinder, kt.look.Plate
    nose = [
        (0, 3.6, 0.15),
        (0, 2.4, 0.55),
        (0, -3.3, 0.55),
        (0, -3.6, -0.2),
        (0, -3.3, -0.65),
        (0, 2.6, -0.65),
    ]
    guards = tuple(Box((0.55, 6.6, 0.06), at=(x, -0.1, 0.28), paint="dark") for x in (-1.5, 1.5))
    return (
        Plate(nose, 2.3),
        *guards,
        Box((2.0, 2.6, 0.55), at=(0, -0.3, 0.85)),
        Cylinder((0, 0.9, 0.9), (0, 5.2, 0.98), 0.09, paint="steel"),
    )
