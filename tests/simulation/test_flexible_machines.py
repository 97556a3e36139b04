"""Machines with flexible bodies: methods that agree, reactions, analyses, and refusals in words."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.simulation.deflections import LargeDeflection
from support.flexible_bars import bar

ROD = bar(length=0.3, width=0.01, height=0.01, bending=2, axial=1, twist=0, damping=0.02)[0]
EXACT = [f.name for f in FORMULATIONS if f.exact and f.loops and f.name != "nodes"]


def pendulum(part=ROD, **more):
    m = kt.Model("pendulum")
    rod = m.flexible("rod", part, **more)
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.at("-"))
    return m


def crank_mechanism():
    m = kt.Model("crank mechanism")
    crank = m.body("crank", kt.rod(0.4, 0.1, along="x"), position=(0.05, 0, 0))
    rod = m.flexible("rod", ROD, position=(0.1, 0, 0))
    block = m.body("block", kt.box(0.4, (0.02, 0.02, 0.02)), position=(0.4, 0, 0))
    m.joint("A", kt.Revolute(axis="y"), m.ground, crank.end("-"))
    m.joint("B", kt.Revolute(axis="y"), crank.end("+"), rod.at("-"))
    m.joint("C", kt.Spherical(), rod.at("+"), block)
    m.joint("D", kt.Translational(axis="x"), m.ground.at(0.4, 0, 0), block)
    m.constraint("drive", kt.Driver("A.angle", kt.Ramp(slope=100.0)))
    return m


def test_all_exact_formulations_give_the_same_motion():
    assert len(EXACT) > 8
    ends = [
        kt.simulate(crank_mechanism(), 5e-4, formulation=name, integrator="adams", rtol=1e-9).y[-1]
        for name in EXACT
    ]
    for name, end in zip(EXACT, ends):
        # of the speeds, up to 60 rad/s
        np.testing.assert_allclose(end, ends[0], rtol=0, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("integrator", ["dop853", "bdf", "switching", "bdf-direct"])
def test_integrators_agree(integrator):
    want = kt.simulate(pendulum(), 5e-3, integrator="adams", rtol=1e-9).y[-1]
    got = kt.simulate(pendulum(), 5e-3, integrator=integrator, rtol=1e-8).y[-1]
    np.testing.assert_allclose(got, want, rtol=0, atol=2e-7)


def test_the_reaction_is_the_rate_of_momentum():
    """F + m g = d/dt p, whose part by the modes vibrates."""
    sol = kt.simulate(pendulum(start={"mode2": 1e-4}), 4e-3, rtol=1e-9, output_interval=1e-6)
    force = sol["A.force"] + ROD.mass * np.array([0, 0, -9.81])
    rate = np.gradient(sol.momentum.linear, sol.t, axis=0)
    inner = slice(2, -2)
    assert np.abs(force[:, 2]).max() > 5.0
    # central differences at 1e-6 s of modes up to 4 kHz: (2 pi f h)^2 / 6 = 1e-4
    np.testing.assert_allclose(rate[inner], force[inner], atol=1e-3 * np.abs(force).max())


def test_natural_modes_of_a_hinged_bar():
    """Free at one end and hinged at the other: tan x = tanh x; the energy is all of the rod."""
    part, _ = bar(length=0.3, width=0.01, height=0.01, bending=5, axial=1, twist=0)
    found = kt.modes(pendulum(part))
    x = 3.926602
    unit = np.sqrt(2e11 * 0.01**2 / 12 / 7850.0) / 0.3**2 / (2 * np.pi)
    frequency = min((mode.frequency for mode in found), key=lambda f: abs(f - x**2 * unit))
    assert frequency == pytest.approx(x**2 * unit, rel=2e-3)  # rotary inertia: 1e-3
    assert set(found[0].energies) == {"rod", "rod.+"}
    assert found[0].energies["rod"] == pytest.approx(1.0)


def test_equilibrium_is_that_of_a_cantilever():
    m = kt.Model("cantilever")
    rod = m.flexible("rod", bar(length=0.3, width=0.01, height=0.01, bending=3)[0])
    m.joint("A", kt.Fixed(), m.ground, rod.at("-"))
    rest = kt.equilibrium(m)
    sol = kt.simulate(m, 1e-6, state=rest)
    q, E, I = 7850.0 * 1e-4 * 9.81, 2e11, 0.01**4 / 12  # weight per length
    assert sol["rod.+.position.z"][0] == pytest.approx(-q * 0.3**4 / (8 * E * I), rel=1e-5)


REFUSED = {
    "midpoint": lambda m: kt.simulate(m, 1e-3, integrator="midpoint"),
    "time-stepping": lambda m: kt.simulate(m, 1e-3, integrator="time-stepping", step=1e-4),
    "kinematics": lambda m: kt.kinematics(m, until=1.0),
    "inverse_dynamics": lambda m: kt.inverse_dynamics(m, {"A.angle": 0.1}),
    "derive": lambda m: kt.derive(m),
    "nodal coordinates": lambda m: kt.vibrations(m),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_know_modes_says_so(what):
    with pytest.raises(kt.ModelError, match=f"{what}.* does not know the modes of flexible bodies"):
        REFUSED[what](pendulum())


def test_beams_and_flexible_bodies_do_not_mix():
    m = pendulum()
    section = kt.Section.circle(radius=0.01, E=2e11, density=7850.0)
    beam = m.beam("beam", [(0, 0, 0), (1, 0, 0)], section)
    m.joint("B", kt.Fixed(), m.bodies["rod"].at("+"), beam.end("-"))
    with pytest.raises(kt.ModelError, match="one model has either the one or the other"):
        kt.simulate(m, 1e-3)


def test_joints_act_at_markers():
    m = kt.Model("pendulum")
    rod = m.flexible("rod", ROD)
    with pytest.raises(kt.NameNotFound, match="no marker named 'tip'"):
        rod.at("tip")
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.at(0.1, 0, 0))
    with pytest.raises(kt.ModelError, match=r"\(0.1, 0, 0\) is no marker of the flexible body"):
        kt.assemble(m)
    with pytest.raises(kt.NameNotFound, match="no mode named 'mode9'"):
        m.flexible("other", ROD, start={"mode9": 1.0})
    with pytest.raises(kt.ModelError, match="give a reduced part"):
        m.flexible("third", 3.0)


def test_large_deflections_are_warned_of():
    soft = bar(length=0.3, width=0.01, height=0.01, E=1e6, bending=2, axial=1, twist=0)[0]
    with pytest.warns(LargeDeflection, match="flexible body 'rod' deflects by"):
        kt.simulate(pendulum(soft, start={"mode1": 0.05}), 1e-3, rtol=1e-5)


def test_the_topology_counts_modes_in_both_coordinates():
    report = crank_mechanism().topology()
    relative, cartesian = (
        kt.assemble(crank_mechanism()).compiled.size,
        kt.simulate(crank_mechanism(), 1e-6, coordinates="cartesian").compiled.size,
    )
    assert (report.coordinates, report.equations) == (relative["nv"], relative["ng"])
    assert report.cartesian == (cartesian["nv"], cartesian["ng"])
    # a rigid rod leaves one equation of the plane loop redundant; here it holds the rod across
    assert report.redundant == ()
    assert report.mobility == ROD.n - 1
