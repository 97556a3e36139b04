"""The heavy top: a fast rotating body on a fixed point; a classical test of rotation integrators.

Data [sourced: Bruels2012]; a published problem with reference values at 2 s.
"""

import kinetree as kt

# the last sphere makes the rotation visible
LOOK = (
    kt.look.Cylinder((0, -0.1, 0), (0, 0.1, 0), 0.25, paint="red"),
    kt.look.Cylinder((0, -0.97, 0), (0, -0.1, 0), 0.02, top=0.2),
    kt.look.Cylinder((0, 0.1, 0), (0, 0.35, 0), 0.04, paint="chrome"),
    kt.look.Sphere(0.05, (0.2, 0.09, 0), paint="chrome"),
)


def heavy_top() -> kt.Model:
    """15 kg, mass center 1 m from the fixed point along its axis y, rotating at 150 rad/s."""
    m = kt.Model("heavy-top", gravity=(0, 0, -9.81))
    top = m.body(
        "top",
        kt.mass(15.0, inertia=(0.234375, 0.46875, 0.234375)),
        position=(0, 1, 0),
        angular_velocity=(0, 150, -4.61538),
        look=LOOK,
    )
    m.joint("point", kt.Spherical(), m.ground, top, at=(0, 0, 0))
    return m
