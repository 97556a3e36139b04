"""Linear equations and modes compared with closed forms and with independent eigenvalue
problems.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation

import kinetree as kt
from kinetree.analysis.linear.linearize import linearize
from kinetree.analysis.linear.modes import modes
from kinetree.analysis.linear.spectrum import eigenpairs
from kinetree.analysis.statics.equilibrium import equilibrium
from kinetree.apps.papers.references.five_dof import MASS, matrices
from kinetree.models.double_pendulum import double_pendulum
from kinetree.models.five_dof import five_dof
from kinetree.models.four_bar import four_bar
from kinetree.models.rssr import rssr

both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
G = 9.81
EIGEN = 1e-8  # relative, of eigenvalues; differences of fourth order with h = 1e-3


def spring_chain(n: int, k: float = 400.0, c: float = 0.0) -> kt.Model:
    """n blocks of 2 kg on one rail, with springs between them and to walls at both ends."""
    model = kt.Model("chain", gravity=(0, 0, 0))
    blocks = [
        model.body(f"block{i}", kt.box(2.0, (0.1, 0.1, 0.1)), position=(1.0 + i, 0, 0))
        for i in range(n)
    ]
    ends = [model.ground.at(0, 0, 0), *blocks, model.ground.at(n + 1.0, 0, 0)]
    for i, block in enumerate(blocks):
        model.joint(f"rail{i}", kt.Translational(axis="x"), model.ground.at(1.0 + i, 0, 0), block)
    for i in range(n + 1):
        model.force(
            f"spring{i}", kt.SpringDamper(stiffness=k, damping=c, length=1.0), ends[i], ends[i + 1]
        )
    return model


@both
def test_a_chain_of_masses_and_springs_swings_with_its_closed_form(coordinates):
    """w_j = 2 sqrt(k/m) sin(j pi / 2 (n + 1)), shapes sin(i j pi / (n + 1))."""
    n, found = 4, modes(spring_chain(4), coordinates=coordinates)
    j = np.arange(1, n + 1)
    exact = 2.0 * np.sqrt(400.0 / 2.0) * np.sin(j * np.pi / (2 * (n + 1))) / (2 * np.pi)
    np.testing.assert_allclose(found.frequencies, exact, rtol=EIGEN)
    np.testing.assert_allclose(found.undamped_frequencies, exact, rtol=EIGEN)
    shape = np.array([found[1].coordinates[f"rail{i}.displacement"] for i in range(n)])
    sines = np.sin(np.arange(1, n + 1) * 2 * np.pi / (n + 1))
    np.testing.assert_allclose(shape / shape[0], sines / sines[0], atol=1e-7)
    np.testing.assert_allclose(found[1].bodies["block1"][3].real, shape[1].real, atol=1e-12)


def test_damping_in_proportion_gives_the_closed_form_of_damped_frequencies():
    """C = b K: zeta_j = b w_j / 2, damped w_j sqrt(1 - zeta_j^2)."""
    found, b = modes(spring_chain(3, c=400.0 * 0.01)), 0.01
    w = 2.0 * np.sqrt(200.0) * np.sin(np.arange(1, 4) * np.pi / 8)
    np.testing.assert_allclose(found.damping_ratios, b * w / 2, rtol=EIGEN)
    np.testing.assert_allclose(
        found.damped_frequencies, w * np.sqrt(1 - (b * w / 2) ** 2) / (2 * np.pi), rtol=EIGEN
    )
    real = b * w**2 / 2
    assert found.stiffness_ratio == pytest.approx(real.max() / real.min(), rel=1e-7)
    assert found.spectral_radius == pytest.approx(w.max(), rel=EIGEN)


@both
def test_a_double_pendulum_swings_with_the_roots_of_its_characteristic_equation(coordinates):
    """Two equal uniform rods (m = l = 1), absolute angles: M = [[4/3, 1/2], [1/2, 1/3]], K = g
    diag(3/2, 1/2).
    """
    model = double_pendulum()
    state = kt.assemble(
        model, targets={"shoulder.angle": 0.0, "elbow.angle": 0.0}, coordinates=coordinates
    )
    w2 = eigh(G * np.diag([1.5, 0.5]), np.array([[4 / 3, 0.5], [0.5, 1 / 3]]), eigvals_only=True)
    found = modes(model, state)
    np.testing.assert_allclose(found.frequencies, np.sqrt(w2) / (2 * np.pi), rtol=EIGEN)
    hanging = modes(model, equilibrium(model, coordinates=coordinates).assembly)
    np.testing.assert_allclose(hanging.frequencies, found.frequencies, rtol=EIGEN)


@both
def test_the_five_dof_vehicle_has_the_eigenvalues_of_the_linear_equations(coordinates):
    """Compared with M, C, K of [Haug1979] in inches and pounds, and with the frequencies printed
    for them.
    """
    found = modes(five_dof(), coordinates=coordinates)
    K, C = matrices()
    np.testing.assert_allclose(
        found.undamped_frequencies,
        np.sqrt(eigh(K, np.diag(MASS), eigvals_only=True)) / (2 * np.pi),
        rtol=EIGEN,
    )
    np.testing.assert_allclose(
        found.undamped_frequencies, [0.859, 1.223, 1.918, 13.505, 13.511], atol=5.1e-4
    )
    A = np.block([[np.zeros((5, 5)), np.eye(5)], [-K / MASS[:, None], -C / MASS[:, None]]])
    exact = np.linalg.eigvals(A)
    for value in found.eigenvalues:
        assert np.abs(exact - value).min() < EIGEN * abs(value)
    assert len(found) == 5 and found.spectral_radius == pytest.approx(
        np.abs(exact).max(), rel=EIGEN
    )
    assert "13.505" in str(found)


@both
def test_a_redundant_four_bar_swings_as_its_reduced_energy_says(coordinates):
    """Compared with the period of a small integrated oscillation."""
    rest = equilibrium(four_bar(), coordinates=coordinates).assembly
    found = linearize(four_bar(), state=rest)
    assert found.A.shape == (2, 2)
    model = four_bar()
    aside = {name: {"angle": rest.coordinates[f"{name}.angle"]} for name in "ABD"}
    aside["A"]["angle"] += 1e-3
    for name, start in aside.items():
        model.joints[name] = replace(model.joints[name], start=start)
    run = kt.simulate(model, 2.2, rtol=1e-11, output_interval=1e-3, progress=False)
    swing = run["A.angle"] - rest.coordinates["A.angle"]
    assert np.abs(swing).max() < 2e-3  # the same assembly branch
    zeros = run.t[:-1][np.diff(np.sign(swing)) != 0]
    period = 2 * (zeros[-1] - zeros[0]) / (len(zeros) - 1)
    # zero crossings to a millisecond
    assert 2 * np.pi / abs(found.eigenvalues[0]) == pytest.approx(period, rel=2e-3)


def test_the_linear_equations_are_those_of_a_pendulum_in_any_state():
    """I a'' = -m g l/2 sin a + w - c a': A, B, C and D in motion, away from equilibrium."""
    model = kt.Model("pendulum")
    rod = model.body("rod", kt.rod(2.0, 0.8, along="z"))
    model.joint(
        "hinge",
        kt.Revolute(axis="y"),
        model.ground,
        rod.end("+"),
        start={"angle": 0.7},
        speed={"angle": 3.0},
    )
    model.force("brake", kt.TorsionSpring("hinge.angle", damping=0.5))
    I, k, a = 2.0 * 0.64 / 3, 2.0 * G * 0.4, 0.7
    outputs = ["hinge.angle", "hinge.rate", "rod.position.x", "hinge.acceleration"]
    found = linearize(model, inputs=["hinge.angle"], outputs=outputs)
    assert found.states == ("hinge.angle", "hinge.angle.rate")
    np.testing.assert_allclose(found.A, [[0, 1], [-k * np.cos(a) / I, -0.5 / I]], atol=1e-10)
    np.testing.assert_allclose(found.B, [[0], [1 / I]], atol=1e-12)
    np.testing.assert_allclose(
        found.C, [[1, 0], [0, 1], [-0.4 * np.cos(a), 0], found.A[1]], atol=1e-10
    )
    np.testing.assert_allclose(found.D, [[0], [0], [0], [1 / I]], atol=1e-12)


@both
def test_a_governor_driven_at_constant_speed_has_its_closed_form(coordinates):
    """A rod hinged on a spindle rotating at W: I a'' = I W^2 sin a cos a - m g l/2 sin a (thin rod
    from the axis).
    """
    W, model = 6.0, kt.Model("governor")
    spindle = model.body("spindle", kt.cylinder(1.0, 0.05, 0.2, along="z"))
    rod = model.body("rod", kt.rod(2.0, 0.8, along="z", axial=0.0))
    model.joint("spin", kt.Revolute(axis="z"), model.ground, spindle)
    I, k = 2.0 * 0.64 / 3, 2.0 * G * 0.4
    a = np.arccos(k / (I * W * W))  # steady state
    model.joint("hinge", kt.Revolute(axis="y"), spindle, rod.end("+"), start={"angle": a})
    model.constraint("motor", kt.Driver("spin.angle", kt.Ramp(slope=W)))
    found = linearize(model, coordinates=coordinates)
    swing = 1j * W * np.sin(a)
    np.testing.assert_allclose(np.sort_complex(found.eigenvalues), [-swing, swing], atol=EIGEN * W)


def test_a_spinning_body_has_the_linear_equations_of_euler():
    """J w' = (J w) x w; the rotation vector follows d' = w + d x w0 / 2 to first order."""
    J, w0 = np.array([1.0, 2.0, 2.5]), np.array([0.3, -0.2, 4.0])
    model = kt.Model("top", gravity=(0, 0, 0))
    model.joint(
        "ball",
        kt.Spherical(),
        model.ground,
        model.body("top", kt.mass(3.0, tuple(J))),
        speed=dict(zip(("wx", "wy", "wz"), w0)),
    )

    def skew(u):
        """skew(u) x = u cross x."""
        return -np.cross(np.eye(3), u).T

    euler = (skew(J * w0) - skew(w0) @ np.diag(J)) / J[:, None]
    A = linearize(model).A
    np.testing.assert_allclose(
        A, np.block([[-0.5 * skew(w0), np.eye(3)], [np.zeros((3, 3)), euler]]), atol=1e-10
    )


@both
def test_inputs_and_outputs_of_a_loop_obey_the_lever_law(coordinates):
    """A torque at A moves A as a torque at D moves D with opposite sign: C B is symmetric between
    collocated pairs.
    """
    names = ["A.angle", "D.angle", "C.angle"]
    found = linearize(
        four_bar(),
        inputs=names,
        outputs=[f"{n}.acceleration" for n in names],
        coordinates=coordinates,
    )
    np.testing.assert_allclose(found.D, found.D.T, atol=1e-10 * np.abs(found.D).max())
    # one degree of freedom
    assert np.linalg.matrix_rank(found.D, tol=1e-8 * np.abs(found.D).max()) == 1


def test_actuators_and_point_forces_are_inputs_by_name():
    model = spring_chain(2)
    model.force("push", kt.PointForce((5.0, 0.0, 0.0)), model.bodies["block1"])
    found = linearize(
        model, inputs=["spring1", "push.x", "push.z"], outputs=["block0.position", "spring0.force"]
    )
    np.testing.assert_allclose(found.B[2:], [[-0.5, 0, 0], [0.5, 0.5, 0]], atol=1e-12)
    assert found.outputs == (
        "block0.position.x",
        "block0.position.y",
        "block0.position.z",
        "spring0.force",
    )
    np.testing.assert_allclose(found.C[3], [-400.0, 0, 0, 0], atol=1e-8)
    with pytest.raises(kt.NameNotFound, match=r"no input named 'pusch'.*rail0\.displacement"):
        linearize(model, inputs=["pusch"])
    with pytest.raises(kt.ModelError, match="not a function of the state"):
        linearize(model, outputs=["energy.work"])


def test_a_state_of_a_run_is_linearized_like_the_same_state_assembled():
    run = kt.simulate(four_bar(), 1.0, rtol=1e-10, output_interval=0.1, progress=False)
    found = linearize(four_bar(), state=(run, 0.5))
    q = dict(zip(("A.angle", "D.angle"), (run["A.angle"][5], run["D.angle"][5])))
    model = four_bar()
    model.joints["A"] = replace(model.joints["A"], speed={"angle": float(run["A.angle.rate"][5])})
    again = linearize(model, state=kt.assemble(model, targets=q))
    np.testing.assert_allclose(again.A, found.A, rtol=1e-6)
    with pytest.raises(kt.ModelError, match="solution, time"):
        linearize(model, state="now")


def test_an_idle_spin_shows_as_a_zero_eigenvalue():
    found = modes(rssr(), equilibrium(rssr()).assembly)
    # a double zero: the square root of rounding
    assert np.sum(np.abs(found.eigenvalues) < 1e-4 * found.spectral_radius) == 2
    assert np.isnan(found.stiffness_ratio)
    assert (
        "no mode decays or grows" in str(found)
        and "nan" not in str(found)
        and "inf" not in str(found)
    )


@pytest.mark.parametrize("rounding", [4e-9, -4e-9, 1e-12, -1e-12, 0.0])
def test_a_double_zero_is_zero_whatever_the_sign_of_the_rounding_that_splits_it(rounding):
    """Equations of a pendulum coupled to a free rotation; 4e-9 is the error of a derivative of
    15.
    """
    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-33.7, 0, 0, 0], [15.0, rounding, 0, 0.0]])
    values, vectors = eigenpairs(A, 2)
    assert np.sum(values == 0.0) == 2
    np.testing.assert_allclose(np.abs(values[values != 0.0]), np.sqrt(33.7), rtol=1e-9)
    # the square root of rounding
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-4)


def test_slow_and_critical_modes_are_not_rounded_to_zero():
    """x'' = -k x - c x' with a ratio of roots of a million, and with a nonzero double root."""
    for k, c in ((1e6, 1e6), (1e6, 2e3), (1e-16, 2e-8)):
        values, _ = eigenpairs(np.array([[0.0, 1.0], [-k, -c]]), 1)
        np.testing.assert_allclose(
            np.sort(np.abs(values)), np.sort(np.abs(np.roots([1.0, c, k]))), rtol=1e-6
        )


def test_bounce_and_wheel_hop_are_distinguished_by_their_energy_shares():
    """Shares from the 2 x 2 eigenvectors of the undamped quarter car: phi^2 m of each mass, with
    sum one.
    """
    from kinetree.models.quarter_car import BODY, SPRING, TYRE, WHEEL, quarter_car

    found = modes(quarter_car(0.0))
    M = np.diag([WHEEL, BODY])
    K = np.array([[SPRING + TYRE, -SPRING], [-SPRING, SPRING]])
    _, shapes = np.linalg.eig(np.linalg.solve(M, K))
    energy = (M @ np.abs(shapes) ** 2) / (M @ np.abs(shapes) ** 2).sum(axis=0)
    by_body = {round(float(row), 6) for row in energy[1]}
    assert {round(mode.energies["body"], 6) for mode in found} == by_body
    assert [mode.summary.split(";")[0] for mode in found] == ["body 100 %", "wheel 100 %"]
    assert (
        "travel.displacement" in found[0].summary
        and " m" in found[0].summary
        and "rad" not in found[0].summary
    )


def test_angles_and_travel_are_never_ranked_against_each_other():
    model = kt.Model("crane")
    car = model.body("car", kt.box(10.0, (1, 1, 1)))
    load = model.body("load", kt.rod(2.0, 40.0, along="z"))
    model.joint("rail", kt.Translational(axis="x"), model.ground, car)
    model.joint("swing", kt.Revolute(axis="y"), car, load.end("+"))
    model.force("spring", kt.TorsionSpring("rail.displacement", stiffness=100.0))
    for mode in modes(model):
        assert "swing.angle" in mode.summary and "rad" in mode.summary
        assert mode.units == {"rail.displacement": "m", "swing.angle": "rad"}


def test_a_zero_eigenvalue_among_decaying_modes_is_reported():
    model = kt.Model("cart", gravity=(0, 0, 0))
    a, b = (model.body(name, kt.box(1.0, (1, 1, 1))) for name in "ab")
    model.joint("A", kt.Translational(axis="x"), model.ground, a)
    model.joint("B", kt.Translational(axis="x"), a, b)
    model.force("damper", kt.TorsionSpring("B.displacement", stiffness=5.0, damping=40.0))
    found = modes(model)
    assert np.isinf(found.stiffness_ratio)
    assert "2 of 4 eigenvalues neither decay nor grow; for the others it is" in str(
        found
    ) and " inf" not in str(found)


def test_python_control_gets_the_same_equations_or_the_error_names_the_package():
    found = linearize(spring_chain(2), inputs=["spring1"], outputs=["block0.position.x"])
    try:
        import control  # noqa: F401
    except ImportError:
        with pytest.raises(kt.ResultError, match="pip install control"):
            found.to_control()
        return
    np.testing.assert_allclose(found.to_control().A, found.A)


@pytest.mark.parametrize("joint, first", [(kt.Spherical, 0), (kt.Free, 3)])
def test_small_rotations_turn_with_a_body_that_spins(joint, first):
    """dz'/dz of rotation vectors z about a rotating state, by differences of  log(exp(z) exp(w dt))
    with SciPy's rotations.
    """
    spin, dt, h = np.array([1.3, -0.7, 2.1]), 1e-3, 1e-3
    model = kt.Model("top", gravity=(0, 0, 0))
    body = model.body("body", kt.box(1.0, (0.2, 0.3, 0.5)), rotation=("zyx", (0.4, -0.2, 0.9)))
    model.joint("J", joint(), model.ground, body, speed=dict(zip(("wx", "wy", "wz"), spin)))

    def rate(z):
        ahead, behind = (
            (Rotation.from_rotvec(z) * Rotation.from_rotvec(s * dt * spin)).as_rotvec()
            for s in (1.0, -1.0)
        )
        return (ahead - behind) / (2.0 * dt)

    expected = np.array([(rate(h * e) - rate(-h * e)) / (2.0 * h) for e in np.eye(3)]).T
    found = linearize(model, state=kt.assemble(model))
    rows = [found.states.index(f"J.{label}") for label in ("wx", "wy", "wz")]
    assert rows == [first, first + 1, first + 2]
    # differences, h^2 and dt^2
    np.testing.assert_allclose(found.A[np.ix_(rows, rows)], expected, atol=1e-5)
