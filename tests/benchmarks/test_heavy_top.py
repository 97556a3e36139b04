"""The heavy top with a fixed point (Geradin & Cardona 2001; Bruels, Cardona & Arnold 2012; Terze et
al. 2016).

Model and numbers: `workshop.problems.heavy_top`.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from workshop.problems.heavy_top import PLACES, PUBLISHED, QUATERNION, top

import kinetree as kt


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
