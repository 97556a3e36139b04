"""A car with double wishbones at all four corners, magic-formula tires, and a step of the steering.

Hard points are given for the left side. Their origin is midway between the centers of the front wheels: x forward,
y left, z up.
"""

from dataclasses import replace

import numpy as np

import kinetree as kt
from kinetree.models import vehicles as v

FRONT = v.DoubleWishbone(
    lower_front=(0.15, 0.30, -0.10),
    lower_rear=(-0.20, 0.30, -0.10),
    lower_ball=(0.01, 0.70, -0.12),
    upper_front=(0.10, 0.38, 0.14),
    upper_rear=(-0.15, 0.38, 0.13),
    upper_ball=(-0.02, 0.66, 0.16),
    wheel=(0.0, 0.75, 0.0),
    tie_inner=(-0.14, 0.32, -0.04),
    tie_outer=(-0.14, 0.70, -0.05),
    spring_low=(0.0, 0.52, -0.11),
    spring_top=(-0.02, 0.44, 0.40),
    arm=v.Part(4.0, (0.05, 0.04, 0.08)),
    knuckle=v.Part(14.0, (0.2, 0.15, 0.1)),
    tie=v.Rod(1.2, 0.015, 1e-4),
    strut=v.Strut(stiffness=60e3, damping=4500.0, preload=6000.0),
)
TYRE = kt.tyres.MagicFormula(
    {
        "FNOMIN": 3500.0,
        "UNLOADED_RADIUS": 0.32,
        "PCX1": 1.6,
        "PDX1": 1.1,
        "PEX1": 0.3,
        "PKX1": 22.0,
        "PCY1": 1.3,
        "PDY1": 1.0,
        "PEY1": -0.8,
        "PKY1": -18.0,
        "PKY2": 1.8,
        "RBX1": 14.0,
        "RBX2": 9.0,
        "RBY1": 9.0,
        "RBY2": 6.0,
        "QBZ1": 8.0,
        "QDZ1": 0.09,
        "QSY1": 0.01,
    }
)
WHEELBASE = 2.5


def shifted(corner, x):
    """The same corner further along the car."""
    points = {name: (p[0] + x, p[1], p[2]) for name, p in vars(corner).items() if type(p) is tuple}
    return replace(corner, **points)


def my_car(steer=0.0, speed=20.0, road=None):
    tyre = kt.Tyre(0.32, 220e3, TYRE, road=road or kt.Road(), damping=400.0, relaxation=(0.2, 0.4))
    m = kt.Model("my car")
    origin = (0.0, 0.0, 0.305)
    chassis = m.body(
        "chassis",
        kt.mass(1150.0, (420.0, 1700.0, 1900.0), com=(-1.2, 0.0, 0.22)),
        position=origin,
        velocity=(speed, 0, 0),
        points={"centre": (-1.2, 0.0, 0.22)},
        look=[
            kt.look.Box((3.6, 0.7, 0.25), at=(-1.2, 0, 0.12)),
            kt.look.Box((1.5, 1.2, 0.4), at=(-1.4, 0, 0.5)),
        ],
    )
    m.float(chassis)
    front, rear = v.both_sides("F", origin, speed), v.both_sides("R", origin, speed)
    rack = v.add_rack(
        m,
        chassis,
        front[0].at((-0.14, 0.0, -0.04)),
        v.Part(6.0, (0.15, 0.01, 0.15)),
        steer,
        speed=speed,
    )
    for side in front:
        v.add_double_wishbone(
            m, chassis, rack, side, FRONT, v.Wheel(v.Part(26.0, (0.5, 0.9, 0.5)), tyre)
        )
    for side in rear:  # not steered: the tie rods are joined to the chassis
        v.add_double_wishbone(
            m,
            chassis,
            chassis,
            side,
            shifted(FRONT, -WHEELBASE),
            v.Wheel(v.Part(26.0, (0.5, 0.9, 0.5)), tyre),
        )
        m.force(
            f"drive {side.name}",
            kt.Drive(speed, 400.0, integral=200.0),
            chassis,
            m.bodies[f"wheel {side.name}"],
        )
    m.force(
        "anti-roll bar",
        kt.AntiRollBar(15e3),
        *(
            end
            for s in ("FL", "FR")
            for end in (
                m.bodies[f"lower arm {s}"],
                chassis.at(0.0, 0.45 if s == "FL" else -0.45, 0.2),
            )
        ),
    )
    return m


# Curves of the suspension: camber, toe, track and roll center over the travel.
curves = v.suspension_curves(my_car(), "FL", (-0.06, 0.06), steps=7)
print(curves)
curves.plot("double_wishbone_curves.png")

# Static wheel loads, then a step of the rack at 72 km/h.
loads = v.wheel_loads(v.standing(my_car()))
print({name: round(load) for name, load in loads.items()})
turn = v.step_steer(my_car, speed=20.0, travel=-0.004, until=4.0)
print({name: round(value, 4) for name, value in turn.steady.items()})
turn.plot("double_wishbone_step.png")
my_car().draw("double_wishbone_car.png", names=False)

# CHECK  the wheels carry the weight; in a steady turn the lateral acceleration is speed times yaw rate.
weight = 9.81 * sum(body.properties.mass for body in my_car().bodies.values())
assert abs(sum(loads.values()) / weight - 1.0) < 1e-8
assert (
    abs(
        turn.steady["lateral acceleration"] / (turn.steady["speed"] * turn.steady["yaw rate"]) - 1.0
    )
    < 5e-3
)
assert np.all(np.abs(turn.sol["tyre FL.lateral_force"]) < 1.1 * turn.sol["tyre FL.load"])
