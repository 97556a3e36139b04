"""A heavy top: large rotations without singular angles.

A ball joint keeps its orientation as a unit quaternion and its velocity as three components in the axes of the
body, so the top may turn as it likes. It spins at 150 rad/s and precesses under gravity.
"""

import numpy as np

import kinetree as kt

m = kt.Model("heavy top", gravity=(0, 0, -9.81))
top = m.body(
    "top",
    kt.mass(15.0, inertia=(0.234375, 0.46875, 0.234375)),
    position=(0, 1, 0),
    angular_velocity=(0, 150, -4.61538),
)
m.joint("point", kt.Spherical(), m.ground, top, at=(0, 0, 0))

sol = kt.simulate(m, until=2.0, rtol=1e-10)
print("mass centre after 2 s:", sol["top.position"][-1])

# CHECK published reference of the benchmark of Bruels, Cardona and Arnold (2012), computed with a step of 2e-6 s and
# good to 1.2e-6 m.
assert (
    np.abs(
        sol["top.position"][-1] - (-0.150416985652933, -0.724164450779749, -0.673023460701136)
    ).max()
    < 2e-6
)
# CHECK a symmetric top keeps its spin about the axis of symmetry exactly (Euler's equations).
assert np.abs(sol["point.wy"] - 150.0).max() < 1e-6
