"""The heavy top with a fixed point (Geradin & Cardona 2001; Bruels, Cardona & Arnold 2012; Terze et
al. 2016).

m = 15 kg, inertia (0.234375, 0.46875, 0.234375) about the centre of mass 1 m along body y, spin 150
rad/s about y. The
published end position (step 2e-6) is good to 1.2e-6; the digits used here are from a computation
with Euler's equations and quaternions (Dormand-Prince 8(5,3), tolerance 1e-12), which agrees with
it to that.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

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


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_heavy_top_precesses_to_the_published_place(coordinates):
    sol = kt.simulate(top(), 2.0, coordinates=coordinates, rtol=1e-11, output_interval=0.5)
    assert_allclose(
        sol["top.position"][[1, 2, 4]], list(PLACES.values()), rtol=0, atol=2e-8
    )  # eight digits
    assert_allclose(sol["top.position"][-1], PUBLISHED, rtol=0, atol=1.3e-6)
    assert_allclose(
        sol["top.quaternion"][-1] * np.sign(sol["top.quaternion.w"][-1]),
        QUATERNION,
        rtol=0,
        atol=2e-8,
    )


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_symmetric_top_keeps_its_spin_its_energy_and_its_vertical_momentum(coordinates):
    sol = kt.simulate(top(), 2.0, coordinates=coordinates, rtol=1e-11)
    w, p = sol["top.angular_velocity"], sol["top.position"]
    assert_allclose(
        np.einsum("ti,ti->t", w, p), 150.0, rtol=1e-9
    )  # the axis points from the tip to the centre
    assert (
        sol.energy.drift < 1e-7
    )  # of the 33 J that gravity and precession exchange, beside 5.4 kJ of spin
    assert_allclose(sol.momentum.angular[:, 2], sol.momentum.angular[0, 2], rtol=0, atol=1e-7)
    assert sol.constraint_error.max() < 1e-11
