"""RALF, a large manipulator with two flexible links, the upper one driven through a four-bar
mechanism.  [LeeJoo, Figs. 1-7]

    A  base: lower link 1 (theta1) and connecting link 3 (theta3, relative to link 1)
    B  upper link 2 (theta2) on link 1
    D  actuating link 4 (theta4) on link 3
    C  closes the loop between link 4 and a rigid lever of link 2 behind B

The figure with the data is lost. [proposed] marks numbers that fit "two ten-foot aluminium tubes"
and standard tube sizes; none of them was confirmed. The loop passes behind B (c = -0.40 m), so that
it does not include a bending link.
"""

from __future__ import annotations

import math

import numpy as np

import kinetree as kt

E, DENSITY = 68.9e9, 2710.0  # Pa, kg/m^3, aluminium [proposed]
LENGTH = 3.048  # m, links 1, 2 and 4: ten feet [stated: two ten-foot links]
# m^2, tubes of 5, 4 and 2 inches, schedule 40 [proposed]
AREA = {
    "lower": 2.773e-3,
    "upper": 2.048e-3,
    "actuating": 6.93e-4,
}
# m, their outer diameters [proposed]
DEPTH = {
    "lower": 0.1413,
    "upper": 0.1143,
    "actuating": 0.0603,
}
BENDING = {"lower": 6.308e-6, "upper": 3.011e-6, "actuating": 2.77e-7}  # m^4 of these [proposed]
CONNECTING, CONNECTING_MASS = 0.40, 4.0  # m, kg, link 3: rigid [proposed]
START = (60.0, -90.0)  # degrees: theta1, theta2 [proposed]
# N m: one period of a sine in that time (s) [proposed]
PULSE = {"A": 1500.0, "A3": 300.0}
PULSE_TIME = 0.5
# N m/rad, N m s/rad: servos that hold the arm against its weight [proposed]
SERVO = {
    "A": (1e5, 2e3),
    "A3": (5e4, 5e2),
}


def arm(
    modes: int = 2,
    *,
    closed: bool = True,
    payload: float = 0.0,
    gravity: float = 9.81,
    stiffer: float = 1.0,
    start: tuple[float, float] = START,
    slope: bool = False,
    name: str = "ralf",
) -> kt.Arm:
    """The arm as position vectors; `stiffer` multiplies EI, `slope` rotates the upper link with the
    slope of the lower one.
    """
    t1, t2 = (math.radians(angle) for angle in start)
    t3 = t2 + math.pi
    made = kt.Arm(name, gravity)

    def beam(link: str) -> dict:
        return {
            "length": LENGTH,
            "density": DENSITY * AREA[link],
            "EI": stiffer * E * BENDING[link],
            "modes": modes,
            "depth": DEPTH[link],
        }

    lower = made.link("lower", "A", **beam("lower"), start=t1, slope=slope)
    upper = made.link("upper", "B", on=lower, **beam("upper"), start=t2)
    if payload:
        made.payload(upper, payload)
    if closed:
        connecting = made.link(
            "connecting", "A3", on=lower, at=0.0, length=CONNECTING, mass=CONNECTING_MASS, start=t3
        )
        actuating = made.link(
            "actuating", "D", on=connecting, **beam("actuating"), shape="pinned-pinned", start=-t3
        )
        made.close("C", upper, actuating, at_first=-CONNECTING)
    return made


def of_beams(
    elements: int = 8, *, gravity: float = 9.81, start: tuple[float, float] = START
) -> kt.Model:
    """The same arm of beam elements, with the shear stiffness and rotary inertia that its modes
    assume.
    """
    t1, t2 = (math.radians(angle) for angle in start)
    along = {angle: np.array([math.cos(angle), 0.0, math.sin(angle)]) for angle in (t1, t1 + t2)}
    A, lever = np.zeros(3), CONNECTING * along[t1 + t2]
    B, C, D = A + LENGTH * along[t1], A + LENGTH * along[t1] - lever, A - lever
    made = kt.Model("ralf of beams", gravity=(0.0, 0.0, -gravity))

    def beam(link: str, a: np.ndarray, b: np.ndarray):
        EA, EI = E * AREA[link], E * BENDING[link]
        light = np.full(3, 1e-3 * DENSITY * BENDING[link])
        stiffness = np.array([EA, 10.0 * EA, 10.0 * EA, EI, EI, EI])
        section = kt.Section(stiffness, DENSITY * AREA[link], light, DEPTH[link], DEPTH[link])
        return made.beam(link, [a, b], section, elements=elements)

    lower, upper = beam("lower", A, B), beam("upper", B, B + LENGTH * along[t1 + t2])
    rod = kt.rod(mass=CONNECTING_MASS, length=CONNECTING, along="x", axial=5e-3)
    connecting = made.body("connecting", rod, position=tuple(0.5 * D), rotation=("y", -(t1 + t2)))
    actuating, hinge = beam("actuating", D, C), kt.Revolute(axis="-y")
    for name, parent, child, at in (
        ("A", made.ground, lower, A),
        ("B", lower, upper, B),
        ("A3", lower, connecting, A),
        ("D", connecting, actuating, D),
    ):
        made.joint(name, hinge, parent, child, at=at)
    made.joint("C", kt.PointOnLine(axis="y"), upper, actuating, at=C)
    return made


def driven(model: kt.Model, held: bool = True, part: float = 1.0) -> kt.Model:
    """The model with the torque pulse at A and A3, or a fraction of it, and with servos against its
    weight.
    """
    for joint, size in PULSE.items():
        pulse = kt.Sine(part * size, 1.0 / PULSE_TIME, end=PULSE_TIME)
        model.force(f"pulse {joint}", kt.TorsionSpring(f"{joint}.angle", torque=pulse))
    for joint, (stiffness, damping) in SERVO.items() if held else ():
        angle = model.joints[joint].start["angle"]
        model.force(f"servo {joint}", kt.TorsionSpring(f"{joint}.angle", stiffness, damping, angle))
    return model


def ralf() -> kt.Model:
    """Two modes per link: 10 coordinates, 2 equations, 8 degrees of freedom; held by its servos and
    excited by a pulse.
    """
    return driven(arm().model())


def ralf_open() -> kt.Model:
    """The lower and the upper link alone: 6 coordinates; released."""
    return arm(closed=False, name="ralf-open").model()


def ralf_rigid() -> kt.Model:
    """Rigid links: 4 coordinates, 2 equations."""
    return driven(arm(0, name="ralf-rigid").model())
