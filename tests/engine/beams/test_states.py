"""States of models with beams: from a deflected shape, and from the middle of another run."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import ModelError


def arm(load=0.0, elements=4):
    """A beam on a hinge with a spring, loaded at its end."""
    m = kt.Model("arm", gravity=(0, 0, 0))
    beam = m.beam(
        "b",
        [(0, 0, 0), (1, 0, 0)],
        kt.Section([1e5, 1e5, 1e5, 10.0, 10.0, 10.0], 1.0),
        elements=elements,
    )
    m.joint("root", kt.Revolute(axis="y"), m.ground, beam.end("-"))
    m.force("spring", kt.TorsionSpring("root.angle", 50.0))
    if load:
        m.force("pull", kt.PointForce((0, 0, -load)), beam.end("+"))
    return m


def test_a_beam_released_from_a_deflected_shape_starts_there_and_keeps_its_energy():
    bent = kt.deflect(arm(2.0), load_steps=2)
    sol = kt.simulate(arm(), 0.2, state=bent, step=0.004)
    np.testing.assert_allclose(sol["b.4.position"][0], bent["b.4.position"], atol=1e-14)
    stored = bent["b.energy"] + bent["spring.energy"]
    np.testing.assert_allclose(sol.energy.total, stored, rtol=1e-10)
    assert np.ptp(sol["b.4.position.z"]) > 0.1


def test_a_run_continues_from_the_middle_of_another():
    whole = kt.simulate(arm(), 0.2, state=kt.deflect(arm(2.0), load_steps=2), step=0.004)
    rest = kt.simulate(arm(), 0.2, state=whole.at(0.1), step=0.004)
    assert rest.t[0] == 0.1
    np.testing.assert_allclose(
        rest["b.4.position"], whole["b.4.position"][-len(rest.t) :], atol=1e-13
    )


def test_a_state_of_another_mesh_is_refused():
    bent = kt.deflect(arm(2.0))
    with pytest.raises(
        ModelError, match=r"bodies and nodes are not those of 'arm'.*same number of elements"
    ):
        kt.simulate(arm(elements=3), 0.1, state=bent)
