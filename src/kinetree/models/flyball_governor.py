"""The flyball governor: two balls on swinging rods lift a slider on a free shaft through very stiff
springs.

The IFToMM benchmark A05; data [sourced: Gonzalez2006]. An open tree with four degrees of freedom:
the rotation of the shaft, the height of the slider on it, and the two hinges. Motions of the
spring-dampers decay within a millisecond; the governor oscillates with a period of seconds. Rods,
shaft and slider are solid boxes, whose thickness affects the sixth digit of the motion; the balls
are point masses.
"""

import math

import kinetree as kt

DENSITY = 3000.0  # kg/m^3
LENGTH, THICK, CUBE = 1.0, 0.01, 0.1  # m, of shaft and rods, and of the slider
BALL = 5.0  # kg
ARM = 0.05  # m, from the axis to hinges and to the springs on the slider
STIFFNESS, DAMPING, FREE_LENGTH = 8e5, 4e4, 0.5  # N/m, N s/m, m
# start: m, height of the slider; rad, rods below the horizontal; rad/s
HEIGHT = 0.5
TILT = math.radians(30.0)
SPIN = 2.0 * math.pi
SLIDER_LOOK = kt.look.Cylinder((0, 0, -0.06), (0, 0, 0.06), 0.06, round=0.02)


def flyball_governor() -> kt.Model:
    """Shaft along z rotating at 2 pi rad/s, rods 30 degrees below the horizontal, slider at half
    height, without other velocities.
    """
    m = kt.Model("flyball-governor", gravity=(0, 0, -9.81))
    shaft = m.body(
        "shaft",
        _bar((THICK, THICK, LENGTH)),
        look=kt.look.Cylinder((0, 0, -0.54), (0, 0, 0.54), 0.02, paint="steel"),
    )
    slider = m.body("slider", _bar((CUBE, CUBE, CUBE)), look=SLIDER_LOOK)
    bottom, top = -0.5 * LENGTH, 0.5 * LENGTH
    m.joint("spin", kt.Revolute(axis="z"), m.ground, shaft.at(0, 0, bottom), speed={"angle": SPIN})
    m.joint(
        "slide",
        kt.Translational(axis="z"),
        shaft.at(0, 0, bottom),
        slider,
        start={"displacement": HEIGHT},
    )
    for name, side in (("right", 1.0), ("left", -1.0)):
        rod = m.body(
            f"{name} rod",
            _bar((LENGTH, THICK, THICK)),
            look=kt.look.Cylinder((-0.5, 0, 0), (0.5, 0, 0), 0.012),
        )
        ball = m.body(f"{name} ball", kt.mass(BALL), look=kt.look.Sphere(0.075, paint="yellow"))
        m.joint(
            f"{name} hinge",
            kt.Revolute(axis=(0, side, 0)),
            shaft.at(side * ARM, 0, top),
            rod.at(-side * LENGTH / 2, 0, 0),
            start={"angle": TILT},
        )
        m.joint(f"{name} tip", kt.Fixed(), rod.at(side * LENGTH / 2, 0, 0), ball)
        m.force(
            f"{name} spring",
            kt.SpringDamper(STIFFNESS, DAMPING, FREE_LENGTH),
            rod,
            slider.at(side * ARM, 0, 0),
        )
    return m


def _bar(sides: tuple[float, float, float]):
    """A solid box of the material."""
    return kt.box(DENSITY * math.prod(sides), sides)
