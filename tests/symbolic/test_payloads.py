"""A payload on a link whose slope rotates the next one is equivalent to a body fixed there: in its
equations, and compared with beam elements.
"""

import numpy as np
import pytest

import kinetree as kt

from .arms import evaluated

L, EI, DENSITY, LOAD = 1.0, 20.0, 0.2, 2.0


def cantilever(
    angle: float,
    how: str,
    modes: int = 1,
    inertia: float = 0.0,
    at: float = L,
    gravity: float = 9.81,
) -> kt.Arm:
    """A clamped link with a load at its tip, as a payload or as a rigid link of almost no length."""
    arm = kt.Arm("cantilever", gravity)
    link = arm.link(
        "b",
        "B",
        kind="fixed",
        angle=angle,
        length=L,
        density=DENSITY,
        EI=EI,
        modes=modes,
        slope=True,
    )
    if how == "payload":
        arm.payload(link, LOAD, inertia, at=at)
    else:
        arm.link("t", "T", on=link, kind="fixed", length=1e-9, mass=LOAD, com=0.0, inertia=inertia)
    return arm


@pytest.mark.parametrize("modes", [1, 2, 3])
@pytest.mark.parametrize("inertia", [0.0, 0.4])
def test_a_payload_at_the_tip_and_a_body_fixed_there_have_the_same_equations(modes, inertia):
    rng = np.random.default_rng(modes)
    q, v = 0.3 * rng.normal(size=modes), rng.normal(size=modes)
    both = [evaluated(cantilever(0.4, how, modes, inertia), q, v) for how in ("payload", "link")]
    for payload, body in zip(*both):
        np.testing.assert_allclose(
            payload, body, rtol=1e-12, atol=1e-12 * np.abs(np.asarray(body)).max()
        )


@pytest.mark.parametrize("modes", [1, 3])
def test_a_payload_that_nears_the_tip_becomes_one_at_the_tip(modes):
    """M, f and U are continuous in the position: the difference decreases with the distance."""
    rng = np.random.default_rng(modes)
    q, v = 0.2 * rng.normal(size=modes), rng.normal(size=modes)
    wanted = evaluated(cantilever(0.4, "payload", modes, 0.3), q, v)

    def apart(gap: float) -> float:
        found = evaluated(cantilever(0.4, "payload", modes, 0.3, at=L - gap), q, v)
        return max(
            np.abs(np.asarray(a) - b).max() / np.abs(np.asarray(b)).max()
            for a, b in zip(found, wanted)
        )

    assert apart(1e-8) < 1e-2 * apart(1e-5) < 1e-4 * apart(1e-2)


def test_a_payload_without_mass_changes_nothing():
    light = cantilever(0.4, "payload", 2)
    light.payload(light.links[0], 0.0, 0.0, at=0.5)
    q, v = np.array([0.1, -0.05]), np.array([0.3, 0.2])
    for a, b in zip(evaluated(light, q, v), evaluated(cantilever(0.4, "payload", 2), q, v)):
        np.testing.assert_array_equal(a, b)


def of_beams(angle: float) -> kt.Model:
    """The same cantilever by beam elements, a square of 20 mm."""
    side, way = 0.02, (np.cos(angle), 0.0, np.sin(angle))
    section = kt.Section.rectangle(side, side, E=12.0 * EI / side**4, density=DENSITY / side**2)
    m = kt.Model("beams")
    beam = m.beam("b", [(0, 0, 0), way], section, elements=12)
    m.joint("clamp", kt.Fixed(), m.ground, beam.end("-"))
    load = m.body("load", kt.mass(LOAD, (1e-9, 1e-9, 1e-9)), position=way)
    m.joint("eye", kt.Fixed(), beam.end("+"), load)
    return m


@pytest.mark.parametrize(
    "where, angle", [("upright", 0.5 * np.pi), ("hanging", -0.5 * np.pi), ("lying", 0.0)]
)
def test_a_heavy_load_softens_an_upright_arm_and_stiffens_a_hanging_one_like_a_beam(where, angle):
    """First frequency about the shape under gravity, at 40 % of the buckling load.

    On its arc the tip moves down by psi'(l) xi^2 / 2 = 1.38 xi^2 / 2 l, on the beam by 1.16 (mode
    1): at most 19 % of the change due to gravity. A horizontal beam sags by 0.3 m; terms of third
    order add 1 %.
    """
    m = of_beams(angle)
    beam = kt.vibrations(m, state=kt.deflect(m), count=2).frequencies
    arm = cantilever(angle, "payload").model()
    found = kt.modes(arm, kt.equilibrium(arm)).frequencies[0]
    free = kt.modes(cantilever(angle, "payload", gravity=0.0).model()).frequencies[0]
    # for a horizontal arm, the first mode bends sideways
    wanted = beam[0] if where != "lying" else beam[1]
    assert abs(found**2 - wanted**2) < 0.19 * abs(wanted**2 - free**2) + 0.02 * free**2, (
        found,
        wanted,
        free,
    )
