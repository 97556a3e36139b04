"""A rod that swings about a hinge."""

import kinetree as kt


def pendulum(length: float = 1.0, mass: float = 1.0, angle: float = 1.0) -> kt.Model:
    """A rod hinged at one end, released at rest `angle` (rad) away from hanging straight down."""
    m = kt.Model("pendulum")
    rod = m.body("rod", kt.rod(mass, length, along="z"))
    m.joint("hinge", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": angle})
    return m
