"""Beams with the center of mass off the line: invariants, the rigid limit, closed forms."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import ModelError

OWN = kt.Section([4e3, 2e3, 3e3, 6.0, 9.0, 14.0], 1.3, (6e-3, 2e-3, 4e-3))
SKEW = np.array([[6e-3, 0, 0], [0, 2e-3, 5e-4], [0, 5e-4, 4e-3]])
COUPLED = kt.Section(OWN.moved(-0.03, 0.05).stiffness, 1.3, SKEW, centre=(0.06, -0.04))


def tumbling(section=COUPLED, damping=0.0, bow=0.2):
    m = kt.Model("tumbling", gravity=(0, 0, 0))
    beam = m.beam(
        "b", lambda s: (s, bow * s * s, 0.1 * s), section, elements=5, twist=0.7, damping=damping
    )
    m.float(beam, speed={"wx": 6.0, "wy": -4.0, "wz": 10.0, "vx": 0.4, "vz": -1.0})
    return m


@pytest.mark.parametrize("h", [0.002, 0.02])
def test_a_curved_and_twisted_beam_conserves_energy_and_momentum(h):
    sol = kt.simulate(tumbling(), 1.0, integrator="energy-conserving", step=h, output_interval=h)
    assert np.ptp(sol["b.energy"]) > 0.01 * sol.energy.total[0]  # it does vibrate
    for values in (sol.energy.total[:, None], sol.momentum.linear, sol.momentum.angular):
        assert np.abs(values - values[0]).max() <= 1e-11 * np.abs(values).max()


def test_nodes_and_elements_have_the_center_of_mass_and_the_inertia_of_the_beam():
    m = tumbling()
    sol = kt.simulate(m, 0.002, integrator="energy-conserving", step=0.001)
    body = m.bodies["b"].properties
    w, v = sol["b.0.angular_velocity"][0], sol["b.0.velocity"][0]
    p = sol["b.0.position"][0]
    centre = v + np.cross(w, body.com - p)
    np.testing.assert_allclose(sol.momentum.linear[0], body.mass * centre, rtol=1e-12)
    spin = np.cross(body.com, body.mass * centre) + body.inertia @ w
    np.testing.assert_allclose(sol.momentum.angular[0], spin, rtol=1e-11)
    assert sol["b.energy"][0] < 1e-20  # as drawn it is free of stress
    assert sol.energy.kinetic[0] == pytest.approx(
        0.5 * body.mass * centre @ centre + 0.5 * w @ body.inertia @ w, rel=1e-12
    )


@pytest.mark.parametrize("damping", [0.0, 0.01])
def test_accelerations_at_the_samples_are_the_slopes_of_the_velocities(damping):
    """The samples are completed by the rigid-body code, which shares no forces with the steps."""
    h = 1e-4
    sol = kt.simulate(
        tumbling(damping=damping), 0.03, integrator="energy-conserving", step=h, output_interval=h
    )
    for node in (0, 2, 5):
        v, a = sol[f"b.{node}.velocity"], sol[f"b.{node}.acceleration"]
        # what the start sets off in the damping has faded
        slope, late = (v[2:] - v[:-2]) / (2 * h), slice(40, None)
        # differences of samples, of order two
        assert np.abs(a[1:-1] - slope)[late].max() < 2e-3 * np.abs(a).max()


def two_lines(y, z, planar_load=False):
    """The same clamped beam with its own axis as its line, and with a line at (-y, -z) from it."""
    for section, dy, dz in ((OWN, 0.0, 0.0), (OWN.moved(y, z), -y, -z)):
        m = kt.Model("clamped")
        beam = m.beam("b", [(0, dy, dz), (1, dy, dz)], section, elements=4, damping=2e-3)
        m.joint("root", kt.Fixed(), m.ground, beam.at(0, 0, 0))
        m.force("push", kt.PointForce((0, 0 if planar_load else 6.0, -4.0)), beam.at(1, 0, 0))
        yield m, np.array([0.0, y, z]), -np.array([0.0, dy, dz])


@pytest.mark.parametrize(
    "rule", ["energy-conserving", "midpoint", "trapezoidal", "generalized-alpha"]
)
def test_a_beam_described_by_another_line_moves_the_same(rule):
    ends, shifts = [], []
    for m, _, back in two_lines(0.07, -0.05):
        sol = kt.simulate(m, 0.2, integrator=rule, step=0.005, planar=False)
        ends.append(
            (
                sol["b.4.position"] + sol.beams["b"].rotation[:, 4] @ back,
                sol["root.torque"],
                sol.energy.total,
                sol["b.element2.force"],
                sol["b.element2.moment"],
            )
        )
        shifts.append(back)
    for k, (one, two) in enumerate(zip(*ends)):
        if k == 4:
            two = two - np.cross(shifts[1], ends[1][3])  # a moment is about the line
        # Newton's method ends at 1e-10
        np.testing.assert_allclose(two, one, atol=1e-8 * np.abs(one).max())


def test_equilibrium_and_vibrations_with_and_without_spin_are_the_same():
    bent, free, spun = [], [], []
    for m, _, back in two_lines(0.07, -0.05):
        shape = kt.deflect(m)
        R = shape.solution.beams["b"].rotation[0, 4]
        bent.append(
            np.concatenate([shape["b.4.position"] + R @ back, R.ravel(), shape["root.torque"]])
        )
        free.append(kt.vibrations(m, state=shape, count=8).frequencies)
        turning = kt.Model("turning", gravity=(0, 0, 0))
        beam = turning.beam("b", m.bodies["b"].arguments["line"], m.bodies["b"].section, elements=4)
        turning.joint("axle", kt.Revolute(axis="z"), turning.ground, beam.at(0, 0, 0))
        turning.constraint("drive", kt.Driver("axle.angle", kt.Ramp(slope=4.0)))
        spun.append(kt.vibrations(turning, spin=(0, 0, 4.0), count=5).frequencies)
    np.testing.assert_allclose(bent[1], bent[0], atol=1e-8)
    np.testing.assert_allclose(free[1], free[0], rtol=1e-8)
    np.testing.assert_allclose(spun[1], spun[0], rtol=1e-5)  # derivatives by differences


def test_a_stiff_beam_moves_as_the_rigid_body_with_its_inertia():
    stiff = kt.Model("stiff")
    section = kt.Section(
        [1e9, 1e9, 1e9, 1e7, 1e7, 1e7], 1.0, (2e-3, 1e-3, 1e-3), centre=(0.15, -0.1)
    )
    beam = stiff.beam("arm", [(0, 0, 0), (1, 0, 0)], section, elements=2)
    stiff.joint("ball", kt.Spherical(), stiff.ground, beam.end("-"))
    rigid = kt.Model("rigid")
    # m L^2 / 12 of two elements, the average of lumped and consistent masses: 1 + 1 / n^2
    slender = (1.0 + 1.0 / 2**2) / 12.0
    body = rigid.body(
        "arm",
        kt.mass(1.0, (2e-3, 1e-3 + slender, 1e-3 + slender), (-0.5, 0.15, -0.1)),
        position=(1, 0, 0),
    )
    rigid.joint("ball", kt.Spherical(), rigid.ground, body.at(-1, 0, 0))
    np.testing.assert_allclose(beam.properties.com, (0.5, 0.15, -0.1), atol=1e-14)
    tip = kt.simulate(stiff, 0.5, integrator="energy-conserving", step=1.25e-4)["arm.2.position"][
        -1
    ]
    np.testing.assert_allclose(
        tip, kt.simulate(rigid, 0.5, integrator="adams", rtol=1e-10)["arm.position"][-1], atol=1e-6
    )


def test_its_weight_twists_a_cantilever():
    """A torque per length m g e twists the tip by m g e L^2 / 2 GJ.

    Distributed to the nodes it does so for any number of them.
    """
    m_, e, L, GJ, g = 0.7, 0.02, 1.5, 40.0, 9.81e-3
    for n in (1, 6):
        m = kt.Model("twisted", gravity=(0, 0, -g))
        beam = m.beam(
            "b",
            [(0, 0, 0), (L, 0, 0)],
            kt.Section([1e6, 1e6, 1e6, GJ, 2e3, 3e3], m_, centre=(e, 0.0)),
            elements=n,
        )
        m.joint("root", kt.Fixed(), m.ground, beam.end("-"))
        shape = kt.deflect(m)
        R = shape.solution.beams["b"].rotation[0, n]
        # 8e-11 is not linear
        assert 0.5 * (R[2, 1] - R[1, 2]) == pytest.approx(-m_ * g * e * L**2 / (2 * GJ), rel=1e-9)
        np.testing.assert_allclose(
            shape["root.torque"][0], m_ * L * g * e * np.sign(shape["root.torque"][0]), rtol=1e-6
        )


def test_a_beam_in_forks_vibrates_in_bending_and_twist_together():
    """Deflection w and twist theta as sin(k x), slope phi as cos(k x), k = n pi / L.

    K a = omega^2 M a of these three. Without shear and inertia of the slope

        det [EI k^4 - m s, -m e s; -m e s, GJ k^2 - (J + m e^2) s] = 0,  s = omega^2.
    """
    m_, e, L, EI, GA, GJ, J, Jy = 2.0, 0.08, 2.0, 300.0, 1e6, 40.0, 0.01, 1e-3
    exact = []
    for k in np.arange(1, 4) * np.pi / L:
        K = np.array(
            [[GA * k**2, -GA * k, 0.0], [-GA * k, GA + EI * k**2, 0.0], [0.0, 0.0, GJ * k**2]]
        )
        M = np.array([[m_, 0.0, m_ * e], [0.0, Jy, 0.0], [m_ * e, 0.0, J + m_ * e**2]])
        exact.extend(
            np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)[:2]) / (2 * np.pi)
        )
    exact, errors = np.sort(exact)[:4], []
    for n in (16, 32):
        m = kt.Model("forks", gravity=(0, 0, 0))
        beam = m.beam(
            "b",
            [(0, 0, 0), (L, 0, 0)],
            elements=n,
            section=kt.Section([1e6, GA, GA, GJ, EI, 1e4], m_, (J, Jy, Jy), centre=(e, 0.0)),
        )
        m.joint("left", kt.Revolute(axis="y"), m.ground, beam.end("-"))
        m.joint("right", kt.Revolute(axis="y"), m.ground.at(L, 0, 0), beam.end("+"))
        errors.append(kt.vibrations(m, count=4).frequencies / exact - 1.0)
    assert (errors[0] / errors[1] > 3.7).all() and np.abs(
        errors[1]
    ).max() < 1.1e-3  # order two: 4, rising with n ...
    # ... and without it 8e-5 is left, a sixteenth with 64
    assert np.abs(4.0 * errors[1] - errors[0]).max() / 3.0 < 1e-4


def test_an_offset_in_the_plane_keeps_a_model_planar_and_another_does_not():
    for m, _, _ in two_lines(0.0, -0.05, planar_load=True):
        flat, full = (
            kt.simulate(m, 0.2, integrator="energy-conserving", step=0.005, planar=p)
            for p in (True, False)
        )
        assert len(flat.compiled.tables.freedoms) == 3 and len(full.compiled.tables.freedoms) == 6
        np.testing.assert_allclose(flat["b.4.position"], full["b.4.position"], atol=1e-10)
    for section in (
        OWN.moved(0.07, 0.0),
        kt.Section(OWN.stiffness, 1.3, OWN.inertia, centre=(0.01, 0.0)),
    ):
        m = kt.Model("off")
        beam = m.beam("b", [(0, 0, 0), (1, 0, 0)], section, elements=4)
        m.joint("root", kt.Fixed(), m.ground, beam.end("-"))
        assert (
            len(
                kt.simulate(
                    m, 0.02, integrator="energy-conserving", step=0.01
                ).compiled.tables.freedoms
            )
            == 6
        )
        with pytest.raises(ModelError, match="planar: 'off' does not stay in a plane"):
            kt.simulate(m, 0.02, integrator="energy-conserving", step=0.01, planar=True)


def mass_matrix(m, e, J):
    E = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    return np.block([[m * np.eye(3), -m * E], [m * E, J - m * E @ E]])


def test_a_mass_matrix_gives_center_of_mass_and_inertia():
    section = kt.Section(OWN.stiffness, mass_matrix(1.3, (0.0, 0.06, -0.04), SKEW))
    assert section.mass == pytest.approx(1.3, rel=1e-14)
    np.testing.assert_allclose(section.centre, (0.06, -0.04), rtol=1e-14)
    np.testing.assert_allclose(section.inertia, SKEW, atol=1e-17)
    V = np.array([0.3, -1.0, 2.0, 0.7, -0.4, 1.1])
    v = V[:3] + np.cross(V[3:], (0.0, 0.06, -0.04))
    energy = 0.65 * v @ v + 0.5 * V[3:] @ SKEW @ V[3:]
    assert 0.5 * V @ mass_matrix(1.3, (0.0, 0.06, -0.04), SKEW) @ V == pytest.approx(
        energy, rel=1e-14
    )


GOOD = mass_matrix(1.3, (0, 0.06, -0.04), np.diag([6e-3, 2e-3, 4e-3]))
J = np.diag([6e-3, 2e-3, 4e-3])


@pytest.mark.parametrize(
    "mass, more, words",
    [
        (GOOD + np.diag([0.1, 0, 0, 0, 0, 0]), {}, "is not that of a section"),
        (GOOD + 0.01 * (np.eye(6, k=3) + np.eye(6, k=-3)), {}, "is not that of a section"),
        (mass_matrix(1.3, (0.1, 0, 0), J), {}, "0.1 m ahead along the beam"),
        (GOOD - np.diag([0, 0, 0, 7e-3, 0, 0]), {}, "negative principal moment"),
        (GOOD + np.eye(6, k=1), {}, "is not symmetric"),
        (-GOOD, {}, "must be positive"),
        (mass_matrix(1.3, (0, 0, 0), 0.0 * J), {}, "leaves a turn without inertia"),
        (GOOD, {"centre": (0.1, 0.0)}, "leave out centre"),
        (GOOD, {"inertia": (1, 1, 1)}, "leave out centre"),
        (1.3, {"centre": (0.1, 0.0, 0.0)}, "centre .* must be 2 numbers"),
        (1.3, {"centre": 0.1}, "centre .* must be 2 numbers"),
        ([1.0, 2.0], {}, "mass"),
        ("heavy", {}, "mass must be a number"),
    ],
)
def test_an_invalid_mass_of_a_section_is_refused_with_a_reason(mass, more, words):
    with pytest.raises(ModelError, match=words):
        kt.Section(OWN.stiffness, mass, **more)
