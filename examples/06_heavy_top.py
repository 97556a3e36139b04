"""A heavy top: large rotations without singular angles.

A ball joint has a unit quaternion as coordinates, and three components of the angular velocity in body axes.
Therefore no orientation is singular. The top spins at 150 rad/s and precesses under gravity.
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
print("center of mass after 2 s:", sol["top.position"][-1])

# CHECK published reference of the benchmark of Bruels, Cardona and Arnold (2012), computed with a step of 2e-6 s and
# accurate to 1.2e-6 m.
assert (
    np.abs(
        sol["top.position"][-1] - (-0.150416985652933, -0.724164450779749, -0.673023460701136)
    ).max()
    < 2e-6
)
# CHECK the spin of a symmetric top about its axis is constant (Euler's equations).
assert np.abs(sol["point.wy"] - 150.0).max() < 1e-6
