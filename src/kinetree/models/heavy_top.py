"""The heavy top: a fast spinning body on a fixed point; a classical test of rotation integrators.

Data [sourced: Bruels2012]; a published problem with reference values at 2 s.
"""

import kinetree as kt


def heavy_top() -> kt.Model:
    """15 kg, mass centre 1 m from the point along its axis y, spinning at 150 rad/s."""
    m = kt.Model("heavy-top", gravity=(0, 0, -9.81))
    top = m.body("top", kt.mass(15.0, inertia=(0.234375, 0.46875, 0.234375)), position=(0, 1, 0),
                 angular_velocity=(0, 150, -4.61538))
    m.joint("point", kt.Spherical(), m.ground, top, at=(0, 0, 0))
    return m
