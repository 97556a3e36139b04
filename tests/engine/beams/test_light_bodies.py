"""Bodies without inertia about some axis, held by joints, with and without beams."""

import numpy as np
import pytest

import kinetree as kt

LOADS = {"rod": lambda: kt.rod(5.0, 2.0, along="z"), "point": lambda: kt.mass(5.0, (0.0, 0.0, 0.0))}


def hung(load, beam: bool) -> kt.Model:
    """A load 1 m below a universal joint, in a wind; with `beam` on the end of a stiff beam."""
    m = kt.Model("crane")
    body = m.body("load", load, position=(1, 0, -1))
    hook = m.ground.at(1, 0, 0)
    if beam:
        boom = m.beam(
            "boom",
            [(0, 0, 0), (1, 0, 0)],
            kt.Section.circle(radius=0.05, E=2e14, density=7800.0),
            elements=2,
        )
        m.joint("foot", kt.Fixed(), m.ground, boom.end("-"))
        hook = boom.end("+")
    m.joint("hook", kt.Universal("x", "y"), hook, body.at(0, 0, 1), start={"angle2": 0.2})
    m.force("wind", kt.PointForce((0.0, 3.0, 0.0)), body)
    return m


@pytest.mark.parametrize("load", LOADS.values(), ids=LOADS)
def test_a_light_body_swings_as_it_does_without_beams(load):
    exact = kt.simulate(hung(load(), beam=False), 0.5, output_interval=0.1)["load.position"]
    got = kt.simulate(
        hung(load(), beam=True), 0.5, integrator="energy-conserving", step=1e-3, output_interval=0.1
    )
    # steps of 1e-3 s err by h^2, the beam sags by 1e-9 m
    np.testing.assert_allclose(got["load.position"], exact, atol=2e-6)
    assert got.energy.drift < 1e-9 or got.energy.imbalance < 1e-9


@pytest.mark.parametrize("load", LOADS.values(), ids=LOADS)
@pytest.mark.parametrize(
    "integrator", ["energy-conserving", "midpoint", "trapezoidal", "generalized-alpha"]
)
def test_steps_of_any_length_are_regular(load, integrator):
    for step in (1e-2, 1e-4, 1e-6, 1e-8):
        assert kt.simulate(
            hung(load(), beam=True), 3 * step, integrator=integrator, step=step
        ).success


def test_a_body_that_rotates_without_inertia_is_refused():
    m = hung(LOADS["rod"](), beam=True)
    pin = m.body("pin", kt.rod(1.0, 1.0, along="z"), position=(1, 0, -2.5))
    m.joint("eye", kt.Spherical(), m.bodies["load"].at(0, 0, -1), pin.end("+"))
    with pytest.raises(kt.ModelError, match=r"'pin' can turn about .* and has no inertia"):
        kt.simulate(m, 1e-3)
