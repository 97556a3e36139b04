"""A vehicle with five degrees of freedom: chassis (heave and pitch), seat and two wheels on springs
and dampers over a road.

The example of [Lee1994, sec. 7.3], which takes the vehicle of [Haug1979]. Chassis, seat and wheels
are joined by translational joints with spring-damper-actuators. The paper prints no data except the
speed. The proposed values are taken from memory of later publications on the problem, and they are
consistent with each other. Motions and forces are relative to static equilibrium, so there is no
gravity; the mass centers lie on one line, so that small motions satisfy the published linear
equations.

The road acts through the tyres: a spring and damper on ground that moves as f(t) is equivalent to
one on fixed ground with an actuator of k f(t) + c f'(t). The model remains an open tree with five
velocities.
"""

import kinetree as kt

from ..core.checks import number
from .units import INCH, POUND_FORCE

G = 386.09 * INCH  # m/s^2, converts weights to masses [proposed]
SEAT, CHASSIS, WHEEL = (w * POUND_FORCE / G for w in (290.0, 4500.0, 96.6))  # kg [proposed]
PITCH_INERTIA = 41000.0 * POUND_FORCE * INCH  # 41 000 lb in s^2, in kg m^2 [proposed]
# m ahead of the mass center [proposed]
FRONT = 40.0 * INCH
REAR = -80.0 * INCH
SEAT_X = 10.0 * INCH
SPRING = {"seat": 100.0, "front": 300.0, "rear": 300.0, "tyre": 1500.0}  # lb/in [proposed]
DAMPER = {"seat": 10.0, "front": 25.0, "rear": 25.0, "tyre": 5.0}  # lb s/in [proposed]
SPEED = 450.0 * INCH  # m/s [stated: Lee1994]
RISE, FALL, HEIGHT = 360.0 * INCH, 144.0 * INCH, 10.0 * INCH  # m, of the bump [proposed]
STRUT = 20.0 * INCH  # m, drawn length of every spring [proposed]
# a tub between the wheels, and arches over them
TUB = (
    kt.look.Box((1.9, 1.1, 0.09), at=(-0.5, 0, -0.42)),
    kt.look.Box((1.25, 1.1, 0.3), at=(1.0, 0, 0.74)),
    kt.look.Box((1.25, 1.1, 0.3), at=(-2.02, 0, 0.74)),
    kt.look.Box((0.1, 1.1, 1.3), at=(0.42, 0, 0.18)),
    kt.look.Box((0.1, 1.1, 1.3), at=(-1.44, 0, 0.18)),
)
SEAT_LOOK = (
    kt.look.Box((0.5, 0.55, 0.14), at=(0, 0, 0.09), paint="dark"),
    kt.look.Box((0.13, 0.55, 0.6), at=(-0.24, 0, 0.42), paint="dark"),
)
AXLE = tuple(kt.look.wheel(0.97 * STRUT, 0.26, at=(0, y, 0)) for y in (-0.78, 0.78)) + (
    kt.look.Cylinder((0, -0.7, 0), (0, 0.7, 0), 0.05, paint="dark"),
)
PER_INCH = POUND_FORCE / INCH  # N/m in one lb/in


def five_dof(road: float = 1.0) -> kt.Model:
    """The vehicle at 450 in/s on the road; `road` scales the height of the bump (if small, the
    equations are linear).
    """
    road = number(road, "five-dof: road")
    m = kt.Model("five-dof", gravity=(0, 0, 0))
    carriage = m.body("carriage", kt.mass(0.0))
    chassis = m.body(
        "chassis",
        kt.mass(CHASSIS, inertia=(0.5 * PITCH_INERTIA, PITCH_INERTIA, PITCH_INERTIA)),
        look=TUB,
    )
    m.joint("heave", kt.Translational(axis="z"), m.ground, carriage)
    m.joint("pitch", kt.Revolute(axis="-y"), carriage, chassis)  # positive: nose up
    _mount(m, chassis, "seat", SEAT, SEAT_X, -STRUT)
    for name, x in (("front", FRONT), ("rear", REAR)):
        wheel = _mount(m, chassis, name, WHEEL, x, STRUT)
        k, c = SPRING["tyre"] * PER_INCH, DAMPER["tyre"] * PER_INCH
        push = kt.CosineBump(
            k * road * HEIGHT, RISE / SPEED, FALL / SPEED, begin=(FRONT - x) / SPEED, lead=c / k
        )
        m.force(f"{name} tyre", kt.SpringDamper(k, c, force=push), m.ground.at(x, 0, -STRUT), wheel)
    m.surround(kt.look.Box((6.4, 2.6, 0.06), at=(-0.5, 0, -STRUT - 0.03), paint="grey"))
    return m


def _mount(m: kt.Model, chassis, name: str, mass: float, x: float, above: float):
    """A body that slides on the chassis at x, with its spring and damper; the chassis end lies
    `above` the body.
    """
    body = m.body(
        name, kt.mass(mass), position=(x, 0, 0), look=SEAT_LOOK if name == "seat" else AXLE
    )
    m.joint(f"{name} slide", kt.Translational(axis="z"), chassis.at(x, 0, 0), body)
    m.force(
        f"{name} spring",
        kt.SpringDamper(SPRING[name] * PER_INCH, DAMPER[name] * PER_INCH),
        chassis.at(x, 0, above),
        body,
    )
    return body
