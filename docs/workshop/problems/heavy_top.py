"""The heavy top with a fixed point (Geradin & Cardona 2001; Bruels, Cardona & Arnold 2012; Terze et
al. 2016).

m = 15 kg, inertia (0.234375, 0.46875, 0.234375) about the center of mass 1 m along body y, spin 150
rad/s about y. The
published end position (step 2e-6) is good to 1.2e-6; the digits used here are from a computation
with Euler's equations and quaternions (Dormand-Prince 8(5,3), tolerance 1e-12), which agrees with
it to that.
"""

from __future__ import annotations

import kinetree as kt

PUBLISHED = (-0.150416985652933, -0.724164450779749, -0.673023460701136)
PLACES = {
    0.5: (-0.7024683, -0.02116518, -0.71140026),
    1.0: (0.17334396, 0.64008859, -0.74849079),
    2.0: (-0.15041682, -0.72416559, -0.67302227),
}
QUATERNION = (0.12294714, -0.49107989, 0.35043003, -0.78798689)


def top() -> kt.Model:
    m = kt.Model("heavy top", gravity=(0, 0, -9.81))
    body = m.body(
        "top",
        kt.mass(15.0, (0.234375, 0.46875, 0.234375)),
        position=(0, 1, 0),
        angular_velocity=(0, 150, -4.61538),
    )
    m.joint("tip", kt.Spherical(), m.ground, body, at=(0, 0, 0))
    return m
