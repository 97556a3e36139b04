"""Flexible bodies against tables and closed forms, against the beams of this package, and energies."""

import math

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.prepare import prepare
from kinetree.engine.equations.interface import evaluate_equations
from support.flexible_bars import bar

SIDE = math.sqrt(12 * 5e-4)  # of the beam of Simo and Vu-Quoc: EA 2.8e7 N, EI 1.4e4 N m^2, 1.2 kg/m
LONG = {"length": 10.0, "width": SIDE, "height": SIDE, "E": 2.8e7 / SIDE**2}
LONG["density"] = 1.2 / SIDE**2
FREQUENCY = math.sqrt(1.4e4 / 1.2 / 10.0**4)  # unit of the table of Wright
FLAP = {0: 3.5160, 1: 3.6816, 3: 4.7973, 6: 7.3604}  # [Wright1982], over FREQUENCY


def steadily_spinning(part, speed):
    """The part on a hinge, turning at a constant speed with the stretch that belongs to it."""
    q = np.zeros(part.n)
    for _ in range(6):
        m = kt.Model("spinning", gravity=(0, 0, 0))
        start = {f"mode{k + 1}": float(x) for k, x in enumerate(q)}
        rod = m.flexible("rod", part, start=start)
        m.joint("A", kt.Revolute(axis="z"), m.ground, rod.at("-"), speed={"angle": speed})
        found = prepare(m)
        work = found.compiled.workspace()
        evaluate_equations(found.compiled.tables, work, 0.0, found.q, found.v, np.zeros(0))
        q = q + work.f[1:] / (part.mass * part.K)
    return m, q


@pytest.mark.parametrize("ratio", FLAP)
def test_flap_frequencies_and_stretch_of_a_spinning_beam(ratio):
    part, _ = bar(**LONG, bending=5)
    m, q = steadily_spinning(part, ratio * FREQUENCY)
    found = np.abs(np.linalg.eigvals(kt.linearize(m).A).imag) / FREQUENCY
    assert np.abs(found - FLAP[ratio]).min() < 2e-4 * FLAP[ratio]
    stretch = math.sqrt(part.mass) * float(part.P[1, 0] @ q)
    want = (ratio * FREQUENCY) ** 2 * 1.2 * 10.0**3 / (3 * 2.8e7)
    # of second order in the stretch; the axial modes are exact here
    assert stretch == pytest.approx(want, rel=1e-3, abs=1e-15)


def angle(t):
    """Spin-up to 6 rad/s in 15 s."""
    e = 2 * math.pi / 15.0
    if t < 15.0:
        return 6.0 / 15.0 * (0.5 * t * t + (math.cos(e * t) - 1.0) / (e * e))
    return 6.0 * (t - 7.5)


def spun_up(arm, at):
    arm.joint("A", kt.Revolute(axis="z"), arm.ground, at)
    arm.constraint("drive", kt.Driver("A.angle", kt.Function(angle, breakpoints=(15.0,))))
    return arm


def test_spin_up_of_a_beam():
    """At most 0.5739 m behind, computed with the beams of this package; without the second order
    the deflection grows without limit.
    """
    m = kt.Model("spin-up", gravity=(0, 0, 0))
    rod = m.flexible("rod", bar(**LONG, bending=4, axial=1)[0])
    sol = kt.simulate(spun_up(m, rod.at("-")), until=8.0, rtol=1e-5, output_interval=0.05)
    p, a = sol["rod.+.position"], sol["A.angle"]
    behind = p[:, 0] * np.sin(a) - p[:, 1] * np.cos(a)
    m = kt.Model("spin-up", gravity=(0, 0, 0))
    hub = m.body("hub", kt.sphere(mass=1.0, radius=0.1))
    section = kt.Section.rectangle(SIDE, SIDE, LONG["E"], LONG["density"], poisson=0.0)
    arm = m.beam("arm", [(0, 0, 0), (10, 0, 0)], section, elements=32)
    m.joint("root", kt.Fixed(), hub, arm.end("-"))
    beam = kt.simulate(spun_up(m, hub), until=8.0, step=0.01, output_interval=0.05)
    p, a = beam["arm.32.position"], beam["A.angle"]
    want = p[:, 0] * np.sin(a) - p[:, 1] * np.cos(a)
    assert want.max() == pytest.approx(0.5739, abs=2e-3)
    # 1 % of the deflection, of which the beams with their step make up a third
    assert np.abs(behind - want).max() < 5e-3


def pendulum(elements=0):
    m = kt.Model("pendulum")
    if elements:
        section = kt.Section.rectangle(0.02, 0.02, 2e10, 7850.0, poisson=0.0)
        rod = m.beam("rod", [(0, 0, 0), (1, 0, 0)], section, elements=elements)
        at = rod.end("-")
    else:
        rod = m.flexible("rod", bar(E=2e10, axial=1)[0])
        at = rod.at("-")
    m.joint("A", kt.Revolute(axis="y"), m.ground, at)
    return m


def test_a_falling_pendulum_equals_one_of_beams():
    sol = kt.simulate(pendulum(), until=0.4, rtol=1e-6, output_interval=0.01)
    beam = kt.simulate(pendulum(64), until=0.4, step=2.5e-4, output_interval=0.01)
    # an error of the beams of 9e-5 m is left, a quarter of that with 32 elements
    apart = np.abs(sol["rod.+.position"] - beam["rod.64.position"]).max()
    assert apart < 1.5e-4


def slider_crank(elements=0, part=None):
    """Crank 0.15 m, rod 0.3 m of 6 x 6 mm, block 42.5 g, at 150 rad/s."""
    m = kt.Model("slider-crank", gravity=(0, 0, 0))
    crank = m.body("crank", kt.rod(0.36, 0.15, along="x", axial=1e-4), position=(0.075, 0, 0))
    if elements:
        section = kt.Section.rectangle(0.006, 0.006, 2e11, 7870.0, poisson=0.0)
        line = [(0.15, 0, 0), (0.45, 0, 0)]
        rod = m.beam("rod", line, section, elements=elements)
    else:
        rod = m.flexible("rod", part, position=(0.15, 0, 0))
    block = m.body("block", kt.box(0.0425, (0.02, 0.02, 0.02)), position=(0.45, 0, 0))
    m.joint("A", kt.Revolute(axis="y"), m.ground, crank, at=(0, 0, 0))
    m.joint("B", kt.Revolute(axis="y"), crank.at(0.075, 0, 0), rod.end("-"))
    m.joint("C", kt.Spherical(), rod.end("+"), block)
    m.joint("slide", kt.Translational(axis="x"), m.ground, block, at=(0.45, 0, 0))
    m.constraint("drive", kt.Driver("A.angle", kt.Ramp(slope=150.0)))
    return m


def thin_rod(**more):
    return bar(length=0.3, width=0.006, height=0.006, E=2e11, density=7870, axial=1, **more)[0]


def chord_angle(a, b, sol, quaternion):
    """Angle of the section at the pin against the chord, about y."""
    d = (b - a) / np.linalg.norm(b - a, axis=1)[:, None]
    w, x, y, z = sol[quaternion].T
    along = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)
    return np.cross(along, d)[:, 1]


def test_a_fast_slider_crank_equals_one_of_beams():
    """Its rod bends by 3.5 mm of 300, and by 5.7 mm without the second order."""
    sol = kt.simulate(slider_crank(part=thin_rod(bending=3)), 0.04, rtol=1e-5, output_interval=4e-4)
    beam = kt.simulate(slider_crank(32), 0.04, step=2e-5, output_interval=4e-4)
    got = chord_angle(sol["rod.position"], sol["rod.+.position"], sol, "rod.quaternion")
    want = chord_angle(beam["rod.0.position"], beam["rod.32.position"], beam, "rod.0.quaternion")
    assert np.abs(want).max() > 0.03
    # in slope 0.05 mm of the half length over a quarter wave: 0.05e-3 pi / 0.3; and the beams' own
    assert np.abs(got - want).max() < 1.5e-3
    linear = kt.simulate(
        slider_crank(part=thin_rod(bending=3, stiffened=0)), 0.04, rtol=1e-5, output_interval=4e-4
    )
    off = chord_angle(linear["rod.position"], linear["rod.+.position"], linear, "rod.quaternion")
    assert np.abs(off - want).max() > 10e-3


def test_the_mass_matrix_is_positive_at_any_deflection():
    part = thin_rod(bending=4)
    m = kt.Model("rod")
    m.joint("A", kt.Revolute(axis="y"), m.ground, m.flexible("rod", part).at("-"))
    compiled = prepare(m).compiled
    work, rng = compiled.workspace(), np.random.default_rng(1)
    for _ in range(50):
        q = rng.normal(size=part.n) / np.sqrt(part.K)  # as much energy in each mode
        tip = np.linalg.norm(math.sqrt(part.mass) * part.P[1] @ q)
        q *= 0.2 * 0.3 / tip
        state = np.concatenate([[0.3], q])
        evaluate_equations(compiled.tables, work, 0.0, state, 0 * state, np.zeros(0))
        scale = 1 / np.sqrt(np.diag(work.M))
        assert np.linalg.eigvalsh(work.M * np.outer(scale, scale))[0] > 1e-6


@pytest.mark.parametrize("stiffened", [None, 0])
def test_energy_of_an_undamped_body_is_kept(stiffened):
    part, _ = bar(E=2e10, bending=2, axial=1, stiffened=stiffened)
    m = kt.Model("pendulum")
    rod = m.flexible("rod", part, start={"mode1": 0.01, "mode3": 0.002})
    m.joint("A", kt.Spherical(), m.ground, rod.at("-"), speed={"wx": 0.5, "wy": 2.0, "wz": -1.0})
    sol = kt.simulate(m, until=0.1, rtol=1e-8)
    total = sol.energy.total
    # relative to the weight times half the length
    assert np.ptp(total) < 1e-9 * part.mass * 9.81 * 0.5
    assert np.ptp(sol["rod.strain_energy"]) > 0.1 * sol["rod.strain_energy"].max() > 0


def test_the_ledger_balances_with_strain_and_damping():
    part, _ = bar(E=2e10, bending=2, axial=1, damping=0.05)
    m = kt.Model("pendulum")
    rod = m.flexible("rod", part, start={"mode1": 0.01, "mode2": 0.01})
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.at("-"))
    sol = kt.simulate(m, until=0.2, rtol=1e-8)
    lost = -float(sol.energy.by_source["rod"][-1])
    assert lost > 0.05 * sol["rod.strain_energy"].max()
    assert np.abs(sol.energy.imbalance).max() < 1e-7 * lost
    dissipated = np.trapezoid(sol["rod.dissipation"], sol.t)
    assert dissipated == pytest.approx(lost, rel=1e-3)  # samples of the power


def four_bar(part, cut, load):
    """A loop with a flexible coupler, cut at one of its ends."""
    m = kt.Model("four-bar", gravity=(0, 0, -9.81 * load))
    crank = m.body("crank", kt.rod(0.1, 0.1, along="z"), position=(0, 0, 0.05))
    rod = m.flexible("rod", part, position=(0, 0, 0.1))
    rocker = m.body("rocker", kt.rod(0.1, 0.25, along="z"), position=(0.3, 0, -0.025))
    m.joint("A", kt.Revolute(axis="y"), m.ground, crank.end("-"))
    m.joint("B", kt.Revolute(axis="y"), crank.end("+"), rod.at("-"))
    m.joint("C", kt.Revolute(axis="y"), rod.at("+"), rocker.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(0.3, 0, -0.15), rocker.end("-"))
    m.force("drive", kt.TorsionSpring("A.angle", torque=0.5 * load))
    m.cut(cut)
    return m


def test_either_marker_may_be_the_frame():
    """The difference is of third order in the deflection."""
    part, off = thin_rod(bending=2), []
    for load in (4.0, 8.0):
        runs = [
            kt.simulate(four_bar(part, cut, load), until=0.01, rtol=1e-9, output_interval=1e-4)
            for cut in "CB"
        ]
        assert [run.compiled.tree.cuts[0].name for run in runs] == ["C", "B"]
        modes = [run["rod.mode1"] for run in runs] + [run["rod.mode2"] for run in runs]
        size = max(np.abs(x).max() for x in modes)
        off.append(max(np.abs(modes[0] - modes[1]).max(), np.abs(modes[2] - modes[3]).max()) / size)
    assert off[0] < 1e-3
    assert 2.5 < off[1] / off[0] < 6.0  # relative, so with the square


def test_joint_and_cartesian_coordinates_give_the_same_motion():
    part = thin_rod(bending=2, damping=0.02)
    runs = [
        kt.simulate(four_bar(part, "C", 2.0), until=0.02, rtol=1e-9, coordinates=coordinates)
        for coordinates in ("relative", "cartesian")
    ]
    for name in ("rod.mode2", "rod.+.position.x", "crank.position.z", "B.force.x"):
        a, b = (run[name] for run in runs)
        # forces follow from accelerations, which are less exact than the motion
        assert np.abs(a - b).max() < (1e-6 if ".force" not in name else 2e-5) * np.abs(a).max()
