"""Hinged beams in a straight line: singular for rigid bodies, regular for beams."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import beta

import kinetree as kt
from kinetree.analysis.topology import singularity
from kinetree.errors import ModelError

SECTION = kt.Section([2e6, 8e5, 8e5, 40.0, 50.0, 60.0], mass=1e-3, inertia=(1e-9, 1e-9, 1e-9))
HINGES = {"plane": kt.Revolute(axis="y"), "space": kt.Spherical()}


def in_line(kinds, hinge="plane", gravity=0.0, load=0.0, knee=0.0, speed=None):
    """Beams and rods of one meter between two fixed pins; a load and a body at the first knee."""
    m = kt.Model("in line", gravity=(0, 0, -gravity))
    place = m.ground.at(0, 0, 0)
    for k, kind in enumerate(kinds):
        body = (
            m.beam(f"b{k}", [(0, 0, 0), (1, 0, 0)], SECTION, elements=4, position=(k, 0, 0))
            if kind == "beam"
            else m.body(
                f"b{k}",
                kt.box(1.0, (1.0, 0.1, 0.1)),
                points={"-": (-0.5, 0, 0), "+": (0.5, 0, 0)},
                position=(k + 0.5, 0, 0),
            )
        )
        first = body.end("-") if kind == "beam" else body.point("-")
        m.joint(f"pin{k}", HINGES[hinge], place, first, speed=speed if k == 0 else None)
        place = body.end("+") if kind == "beam" else body.point("+")
        if k == 0 and load:
            m.force("load", kt.PointForce((0, 0, -load)), place)
        if k == 0 and knee:
            weight = m.body("knee", kt.sphere(mass=knee, radius=1e-3), position=(1, 0, 0))
            m.joint("held", kt.Fixed(), place, weight)
    m.joint("last", HINGES[hinge], place, m.ground.at(len(kinds), 0, 0))
    return m


@pytest.mark.parametrize("hinge", HINGES)
@pytest.mark.parametrize(
    "kinds",
    [("beam", "beam"), ("beam",) * 3, ("beam", "rod"), ("rod", "beam", "rod")],
    ids="-".join,
)
def test_beams_in_a_line_start_where_rigid_bodies_cannot(kinds, hinge):
    m = in_line(kinds, hinge, gravity=9.81)
    assert not singularity(m).singular
    sol = kt.simulate(m, until=0.02, step=1e-3)
    # rounding of strains where 1e-5 J move and a beam takes 1e6 J to stretch by its length
    assert abs(sol.energy.drift) < 1e-7
    fallen = sol["b0.4.position.z" if kinds[0] == "beam" else "b0.position.z"][-1]
    assert fallen < -1e-5  # it moves; free fall would be 2e-3


def test_a_flat_parallelogram_of_beams_starts():
    m = kt.Model("flat", gravity=(0, 0, 0))
    one, two = (
        m.beam(name, [(0, 0, 0), (1, 0, 0)], SECTION, elements=2, position=(x, 0, 0))
        for name, x in (("a", 0), ("b", 2))
    )
    across = m.beam("c", [(0, 0, 0), (2, 0, 0)], SECTION, elements=2, position=(1, 0, 0))
    for name, i, j in (
        ("A", m.ground.at(0, 0, 0), one.end("-")),
        ("B", one.end("+"), across.end("-")),
        ("C", across.end("+"), two.end("+")),
        ("D", m.ground.at(2, 0, 0), two.end("-")),
    ):
        m.joint(name, kt.Revolute(axis="y"), i, j)
    assert not singularity(m).singular
    kt.simulate(m, until=0.01, step=1e-3)


@pytest.mark.parametrize("integrator", ["energy-conserving", "generalized-alpha"])
def test_a_mass_between_two_pinned_beams_swings_on_their_extension_alone(integrator):
    """m w'' = -2 EA (sqrt(L^2 + w^2) - L) / L  w / sqrt(L^2 + w^2) = -EA (w / L)^3 + ...: from the
    line with speed v0,

        EA w_max^4 / (4 L^3) = m v0^2 / 2,      quarter period = sqrt(2 m L^3 / EA) / w_max
                                                Integral_0^1 du / sqrt(1 - u^4)
    """
    EA, mass, v0 = 2e6, 5.0, 1.0
    top = (2.0 * mass * v0**2 / EA) ** 0.25
    quarter = np.sqrt(2.0 * mass / EA) / top * beta(0.25, 0.5) / 4.0
    sol = kt.simulate(
        in_line(("beam", "beam"), knee=mass, speed={"angle": v0}),
        until=quarter,
        integrator=integrator,
        step=quarter / 400,
    )
    # order w^2 of the series is 1e-3 of it, the beams weigh 2e-4 of the mass
    assert abs(sol["knee.position.z"][-1]) == pytest.approx(top, rel=3e-3)
    assert abs(sol["knee.velocity.z"][-1]) < 0.02 * v0


@pytest.mark.parametrize("kinds", [("beam", "beam"), ("beam", "rod")], ids="-".join)
def test_a_load_on_the_knee_is_borne_by_the_stretched_beams(kinds):
    """Without stiffness in the line; F = EA (l - L) / L in each beam, and the load is 2 F sin."""
    P, EA = 100.0, 2e6
    soft = [k == "beam" for k in kinds]
    bent = kt.deflect(in_line(kinds, load=P))
    x, _, w = bent["b0.4.position"]
    lengths = np.hypot(x, w), np.hypot(2.0 - x, w)
    forces = [EA * (l - 1.0) for l, is_beam in zip(lengths, soft) if is_beam]
    pulls = np.linalg.norm(bent["pin0.force"]), np.linalg.norm(bent["last.force"])
    np.testing.assert_allclose(pulls[0], forces[0], rtol=1e-6)
    assert pulls[0] * -w / lengths[0] + pulls[1] * -w / lengths[1] == pytest.approx(P, rel=1e-8)
    if all(soft):
        sag = brentq(
            lambda w: 2.0 * EA * (np.hypot(1.0, w) - 1.0) * w / np.hypot(1.0, w) - P, 0.0, 1.0
        )
        assert -w == pytest.approx(sag, rel=1e-9)


def test_the_first_frequencies_of_a_pair_are_those_of_a_pinned_beam():
    """f = pi / (2 L^2) sqrt(EI / m) of each beam, and one motion without stiffness."""
    m = in_line(("beam", "beam"))
    f = kt.vibrations(m, count=8).frequencies
    assert abs(f[0]) < 1e-2
    closed = np.pi / 2.0 * np.sqrt(50.0 / 1e-3)
    assert np.abs(f - closed).min() < 0.03 * closed  # four elements


def test_rigid_rods_in_a_line_are_refused_beside_beams():
    m = in_line(("rod", "rod"))
    brace = m.beam("brace", [(0, 0, 0), (0, 0, -1)], SECTION, elements=2, position=(1, 0, 0))
    m.joint("top", kt.Revolute(axis="y"), m.bodies["b0"].point("+"), brace.end("-"))
    m.joint("foot", kt.Revolute(axis="y"), m.ground.at(1, 0, -1), brace.end("+"))
    assert singularity(m).singular
    with pytest.raises(
        ModelError, match=r"change point.*the loop closed by 'pin1' \(joints pin0, pin1, last\)"
    ):
        kt.simulate(m, until=0.01, step=1e-3)


def test_a_floating_model_has_no_static_equilibrium():
    m = kt.Model("falls")
    m.float(m.beam("b", [(0, 0, 0), (1, 0, 0)], SECTION, elements=2))
    with pytest.raises(kt.SimulationError, match="no static equilibrium"):
        kt.deflect(m)


def test_contradictory_drivers_between_beams_are_refused():
    m = kt.Model("two drivers")
    arm = m.beam("arm", [(0, 0, 0), (1, 0, 0)], SECTION, elements=2)
    m.joint("A", kt.Revolute(axis="y"), m.ground, arm.end("-"))
    m.constraint("one", kt.Driver("A.angle", lambda t: t * t))
    m.constraint("two", kt.Driver("A.angle", lambda t: 2.0 * t * t))
    with pytest.raises(ModelError, match="contradict each other"):
        kt.simulate(m, until=0.1, step=1e-3)
