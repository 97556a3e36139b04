"""Two rods, one hanging from the other: the simplest mechanism with chaotic motion."""

import math

import kinetree as kt


def double_pendulum(length: float = 1.0, mass: float = 1.0) -> kt.Model:
    """Two equal rods, released at rest with the upper one horizontal and the lower one vertical."""
    m = kt.Model("double-pendulum")
    upper = m.body("upper", kt.rod(mass, length, along="z"))
    lower = m.body("lower", kt.rod(mass, length, along="z"))
    m.joint(
        "shoulder", kt.Revolute(axis="y"), m.ground, upper.end("+"), start={"angle": -math.pi / 2}
    )
    m.joint(
        "elbow", kt.Revolute(axis="y"), upper.end("-"), lower.end("+"), start={"angle": math.pi / 2}
    )
    return m
