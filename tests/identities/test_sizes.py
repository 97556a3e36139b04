"""A scaled model under scaled gravity has the same motion in the same steps.

The factor is a power of two, so that rounding is the same; a difference would be a length without
its unit.
"""

import numpy as np
import pytest

import kinetree as kt

FACTOR = 2.0**10


def crane(size: float) -> kt.Model:
    """A trolley on a rail with a pendulum: displacements and angles pass through zero."""
    m = kt.Model("crane", gravity=(0, 0, -9.81 * size))
    trolley = m.body("trolley", kt.box(2.0, (size, size, size)), velocity=(0.5 * size, 0, 0))
    load = m.body("load", kt.rod(1.0, size, along="z", axial=0.01 * size**2))
    m.joint("rail", kt.Translational(axis="x"), m.ground, trolley)
    m.joint("rope", kt.Revolute(axis="y"), trolley, load.end("+"), start={"angle": 0.4})
    m.force(
        "buffer", kt.SpringDamper(40.0, length=2.0 * size), m.ground.at(-2.0 * size, 0, 0), trolley
    )
    return m


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("integrator", ["adams", "dopri5"])
def test_size_changes_neither_the_steps_nor_the_motion(coordinates, integrator):
    small, large = (
        kt.simulate(
            crane(size),
            3.0,
            coordinates=coordinates,
            integrator=integrator,
            rtol=1e-5,
            output_interval=0.5,
        )
        for size in (1.0, FACTOR)
    )
    assert large.result.evaluations == small.result.evaluations
    # rounding of 1e-16, amplified over the steps
    np.testing.assert_allclose(large.steps.h, small.steps.h, rtol=1e-9)
    np.testing.assert_allclose(
        large["trolley.position"] / FACTOR, small["trolley.position"], rtol=1e-12, atol=1e-13
    )
    np.testing.assert_allclose(large["rope.angle"], small["rope.angle"], rtol=1e-12, atol=1e-13)
