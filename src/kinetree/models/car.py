"""The car of [Kim1997, sec. 6]: McPherson struts in front, a twist axle behind, a rack with
prescribed travel.

Sixteen bodies and fourteen degrees of freedom: six of the chassis, two of the front wheel travel,
two of the axle, four wheel rotations. The paper prints the joints, the speed of 40 km/h and the
sinusoidal rack travel of 1 cm between 4 and 8 s, and no other data. Front suspension and chassis
are those of the BMW E90 (SAE paper 2007-01-0818); the rest is proposed so that the car stands level
and has little bump steer.

x forward, y left, z up; the origin of the drawing is midway between the centers of the front
wheels. Rack travel to the right steers left.
"""

from __future__ import annotations

from typing import Any

import kinetree as kt

from .units import KILOMETRE_PER_HOUR
from .vehicles.hard_points import Part, Rod, Strut, Wheel, both_sides
from .vehicles.mcpherson import McPherson, add_mcpherson
from .vehicles.steering import add_rack
from .vehicles.steering_inputs import smooth_sine
from .vehicles.twist_axle import TwistAxle, add_twist_axle

GRAVITY, SPEED = 9.81, 40.0 * KILOMETRE_PER_HOUR  # m/s^2; m/s [stated: Kim1997]
WHEELBASE = 2.75717  # m [sourced: E90]
CHASSIS, CENTRE = Part(1442.1, (572.0, 2487.0, 2768.0)), (-1.371, 0.0, 0.206232)  # [sourced: E90]
# spring and damper [sourced: E90]; preload [proposed]
FRONT = McPherson(
    arm_front=(0.27051, 0.34544, -0.05969),
    arm_rear=(-0.04318, 0.37338, -0.12573),
    ball=(0.02794, 0.66294, -0.10414),
    arm_centre=(0.0708025, 0.511175, -0.098425),
    knuckle_centre=(0.0, 0.650062, 0.0),
    wheel=(0.0, 0.750062, 0.0),
    strut_top=(-0.08382, 0.54102, 0.46863),
    strut_low=(-0.00508, 0.61976, -0.00127),
    tie_outer=(-0.2, 0.574803759, -0.00127),
    arm=Part(2.72, (0.0151, 0.0207, 0.0355)),
    knuckle=Part(13.51, (0.0138, 0.0146, 0.00283)),  # all [sourced: E90]
    tie_inner=(
        -0.2,
        0.2,
        -0.02,
    ),  # [proposed]: -0.05 would give 22 deg/m of bump steer, this gives 0.6
    tube=Rod(9.0, 0.10, 0.01),
    rod=Rod(4.5, 0.05, 0.005),
    tie=Rod(1.13, 1.13 * 0.140829 / 12.0, 1e-4),  # [proposed]
    strut=Strut(29770.0, 4352.487, 3747.14),
)
RACK, RACK_AT = Part(9.07, (0.3, 0.01, 0.3)), (-0.2, 0.0, -0.02)  # [proposed]
# [proposed]
REAR = TwistAxle(
    pivot=(-2.40, 0.55, 0.0),
    beam=(-2.52, 0.0, 0.03),
    wheel=(-2.75717, 0.75, 0.0),
    centre=(-2.55, 0.45, 0.01),
    spring_low=(-2.70, 0.60, -0.05),
    spring_top=(-2.70, 0.60, 0.35),
    half=Part(25.0, (1.0, 0.4, 1.2)),
    strut=Strut(40e3, 3000.0, 4341.04),
    twist=950.0,
)
WHEEL = Part(30.0, (0.6, 1.0, 0.6))  # [proposed]
# [proposed]
TYRE: dict[str, Any] = {
    "radius": 0.317,
    "stiffness": 200e3,
    "damping": 500.0,
    "rolling_radius": 0.310,
}
CORNERING, SLIP, FRICTION = 50e3, 80e3, 0.9  # N/rad, N, 1 [proposed]
DRIVE = 500.0  # N m s/m for each front wheel [proposed]
LOADS = (4211.08, 4043.49)  # N on a front and on a rear wheel at rest
RACK_TRAVEL, BEGIN, END = 0.01, 4.0, 8.0  # m, s [stated: Kim1997]


SMOOTH = smooth_sine(-RACK_TRAVEL, BEGIN, END - BEGIN)  # with two continuous derivatives
# as printed: its velocity is discontinuous at both ends
SINE = kt.Sine(-RACK_TRAVEL, 1.0 / (END - BEGIN), begin=BEGIN, end=END)


def car(
    steer: Any = SMOOTH,
    speed: float = SPEED,
    law: Any = None,
    road: kt.Road | None = None,
    relaxation=None,
) -> kt.Model:
    """The car rolling straight at a speed (m/s); `steer` is the rack travel over time, `law` the
    tyre model.
    """
    law = kt.tyres.Linear(CORNERING, SLIP) if law is None else law
    tyre = kt.Tyre(law=law, road=road or kt.Road(), relaxation=relaxation, **TYRE)
    wheel = Wheel(WHEEL, tyre)
    origin = (0.0, 0.0, TYRE["radius"] - 0.5 * sum(LOADS) / TYRE["stiffness"])
    m = kt.Model("car", gravity=(0, 0, -GRAVITY))
    chassis = m.body(
        "chassis",
        kt.mass(CHASSIS.mass, CHASSIS.inertia, com=CENTRE),
        position=origin,
        velocity=(speed, 0, 0),
        points={"centre": CENTRE},
        look=_body(),
    )
    m.float(chassis)
    front, rear = both_sides("F", origin, speed), both_sides("R", origin, speed)
    rack = add_rack(m, chassis, front[0].at(RACK_AT), RACK, steer, speed=speed)
    for side in front:
        add_mcpherson(m, chassis, rack, side, FRONT, wheel)
        m.force(
            f"drive {side.name}", kt.Drive(speed, DRIVE), chassis, m.bodies[f"wheel {side.name}"]
        )
    add_twist_axle(m, chassis, rear, REAR, wheel)
    return m


def _body() -> tuple:
    """Profile of a sedan, narrower than the car so that its suspensions are visible; doors and
    sills between the wheels.
    """
    side = [
        (0.78, 0, 0.02),
        (0.84, 0, 0.22),
        (0.7, 0, 0.36),
        (-0.35, 0, 0.47),
        (-0.95, 0, 0.9),
        (-1.3, 0, 0.97),
        (-2.05, 0, 0.95),
        (-2.75, 0, 0.6),
        (-3.35, 0, 0.55),
        (-3.45, 0, 0.2),
        (-3.3, 0, 0.05),
    ]
    doors = [(-0.55, 0, -0.1), (-0.5, 0, 0.46), (-2.05, 0, 0.46), (-2.0, 0, -0.1)]
    windows = [(-0.55, 0, 0.5), (-1.03, 0, 0.85), (-2.02, 0, 0.88), (-2.55, 0, 0.56)]
    Plate = kt.look.Plate
    return (
        Plate(side, 0.84, 0.05, paint="#3a6ea5"),
        Plate(doors, 1.44, 0.05, paint="#3a6ea5"),
        Plate(windows, 0.9, 0.03, paint="glass"),
    )
