"""Equations of planar arms compared with the numeric engine, with quadrature, and with their own
differences.
"""

import numpy as np
import pytest
from scipy.linalg import eigh

import kinetree as kt
from kinetree.apps.papers.references.ralf import OpenArm
from kinetree.assembly.prepare import prepare
from kinetree.engine.equations.interface import evaluate_equations as equations
from kinetree.errors import ModelError
from kinetree.models import ralf

from .arms import boom, evaluated, everything, four_bar, plain, slider_crank


def both_plants(model: kt.Model):
    """(M, f, G, gamma, vdot) of the generated equations and of the bodies, at the start."""
    results = []
    for twin in (model, model.variant(generated=None)):
        found = prepare(twin)
        work = found.compiled.workspace()
        equations(found.compiled.tables, work, 0.0, found.q, found.v, found.x)
        ng, nv = work.G.shape
        whole = np.block([[work.M, work.G.T], [work.G, np.zeros((ng, ng))]])
        vdot = np.linalg.solve(whole, np.concatenate([work.f, work.gamma]))[:nv]
        results.append((work.M.copy(), work.f.copy(), work.G.copy(), work.gamma.copy(), vdot))
    return results


def agree(ours, bodies) -> None:
    for a, b in zip(ours, bodies):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-10 * max(1.0, np.abs(b).max(initial=0.0)))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("machine", [four_bar, slider_crank], ids=lambda f: f.__name__)
def test_ten_planar_loops_move_as_their_bodies_do(machine, seed):
    agree(*both_plants(machine(np.random.default_rng(seed)).model()))


def test_a_rigid_arm_with_all_kinds_of_parts_moves_as_its_bodies_do():
    arm = everything()
    for link in arm.links:
        link.modes, link.slope = (), False
    agree(*both_plants(arm.model()))


def test_masses_of_the_open_arm_are_those_of_quadrature():
    reference, arm, rng = OpenArm(), ralf.arm(closed=False), np.random.default_rng(1)
    known = plain(arm)
    for _ in range(5):
        q = rng.normal(size=6)
        np.testing.assert_allclose(
            evaluated(arm, q, np.zeros(6), known)[0], reference.mass(q), rtol=1e-12, atol=1e-11
        )


def test_velocity_terms_and_gravity_follow_from_the_energies():
    """f = -(dM/dt v - 1/2 grad v^T M v) - grad U, by differences of M and U: Lagrange's equations,
    with every option.
    """
    arm, rng, h = everything(), np.random.default_rng(2), 1e-5
    known = plain(arm)
    n = known[2]
    q, v = 0.3 * rng.normal(size=n), rng.normal(size=n)

    def energies(k: int, step: float):
        M, _, U = evaluated(arm, q + step * np.eye(n)[k], v, known)
        return M, U

    dM = np.array([(energies(k, h)[0] - energies(k, -h)[0]) / (2 * h) for k in range(n)])
    dU = np.array([(energies(k, h)[1] - energies(k, -h)[1]) / (2 * h) for k in range(n)])
    wanted = -(np.einsum("kij,k,j->i", dM, v, v) - 0.5 * np.einsum("kij,i,j->k", dM, v, v)) - dU
    M, f, _ = evaluated(arm, q, v, known)
    np.testing.assert_allclose(f, wanted, atol=1e-7 * np.abs(wanted).max())  # central differences
    assert np.linalg.eigvalsh(M)[0] > 0.0 and np.abs(M - M.T).max() < 1e-15 * np.abs(M).max()


def test_the_tip_of_the_model_agrees_with_the_position_vectors():
    """The kinetic energy of a payload at the tip, from the velocity of its body in the tree."""
    light, heavy = (ralf.arm(closed=False, payload=mass, slope=True) for mass in (0.0, 5.0))
    rng, n = np.random.default_rng(3), 6
    model = heavy.model()
    found = prepare(model)
    from kinetree.assembly.system import System

    system = System(found.compiled)
    at = {joint: k for k, (joint, _) in enumerate(found.compiled.dof_owner)}
    order = [at[model.generated.owners[name]] for name in model.generated.equations.q]
    q, v = 0.2 * rng.normal(size=n), rng.normal(size=n)
    placed, speeds = np.zeros(n), np.zeros(n)
    placed[order], speeds[order] = q, v
    system.values(0.0, placed, found.x)
    velocity = system.body_jacobian(found.compiled.body_index("upper_tip"))[3:] @ speeds
    more = 0.5 * v @ (evaluated(heavy, q, v)[0] - evaluated(light, q, v)[0]) @ v
    assert more == pytest.approx(2.5 * velocity @ velocity, rel=1e-11)


@pytest.mark.parametrize(
    "slope, wanted", [(False, (7.23284125, 11.64545136)), (True, (5.52261677, 13.70375904))]
)
def test_the_slope_of_a_tip_rotates_the_next_link(slope, wanted):
    """Frequencies (Hz) of two links at a right angle with locked joints, from an independent
    program with slopes psi'(l) xi.
    """
    arm = ralf.arm(closed=False, slope=slope, gravity=0.0)
    known, h = plain(arm), 1e-4
    q = np.array([1.0, -np.pi / 2, 0, 0, 0, 0])
    M = evaluated(arm, q, np.zeros(6), known)[0]
    K = np.array(
        [
            (
                evaluated(arm, q - h * e, 0 * q, known)[1]
                - evaluated(arm, q + h * e, 0 * q, known)[1]
            )
            / (2 * h)
            for e in np.eye(6)
        ]
    )
    found = np.sqrt(eigh(K[2:, 2:], M[2:, 2:], eigvals_only=True)[:2]) / (2 * np.pi)
    np.testing.assert_allclose(found, wanted, rtol=1e-7)  # accuracy of the differences


def test_a_joint_counts_from_the_angle_at_which_it_is_zero():
    """The same arm with and without `angle`: M, f and U at the same position."""
    arms = [kt.Arm("arm"), kt.Arm("arm")]
    for arm, angle in zip(arms, (0.0, 0.7)):
        first = arm.link("first", "A", length=1.0, density=2.0, EI=300.0, modes=2, angle=angle)
        arm.link("second", "B", on=first, length=0.5, density=1.0, angle=-angle)
    q, v = np.array([0.9, -0.4, 0.02, 0.003]), np.array([1.0, -2.0, 0.5, 0.1])
    for a, b in zip(evaluated(arms[0], q, v), evaluated(arms[1], q - (0.7, -0.7, 0, 0), v)):
        np.testing.assert_allclose(b, a, rtol=1e-12)


def test_velocity_terms_in_joint_coordinates_are_christoffel_symbols_of_the_mass_matrix():
    """(27) by differentiation of M in joint coordinates, compared with the transformed C."""
    from kinetree.symbolic.planar import christoffel

    e = everything().equations()
    assert e.relative_C == christoffel(e.relative_M, e.diff, e.field.half)


def test_the_frequencies_of_a_hinged_link_converge_with_the_number_of_modes():
    """A hinged-free beam by cantilever modes and the joint: b = 3.92660, 7.06858; the error
    decreases as modes are added.
    """
    exact, errors = np.array([3.92660231, 7.06858275]), []
    for modes in (4, 8):
        arm = boom(modes, gravity=0.0)
        M = evaluated(arm, np.zeros(modes + 1), np.zeros(modes + 1))[0]
        K = np.zeros_like(M)
        K[1:, 1:] = arm.links[0].integrals.k
        w = np.sqrt(eigh(K, M, eigvals_only=True)[1:3])
        b = np.sqrt(w * np.sqrt(3.0 / 2000.0) * 2.0**2)
        errors.append(np.abs(b / exact - 1.0))
    assert (errors[1] < 2e-4).all() and (errors[1] < 0.35 * errors[0]).all()


def _still() -> kt.Arm:
    arm = kt.Arm("still")
    arm.link("post", "foot", kind="fixed", length=1.0, density=1.0)
    return arm


def test_mistakes_in_an_arm_are_named():
    arm = boom()
    link = arm.links[0]
    for match, act in (
        (
            "Divide the link there",
            lambda: arm.link("jib", "B", on=link, at=1.0, length=1.0, density=1.0),
        ),
        ("the name 'A' is taken", lambda: arm.link("jib", "A", on=link, length=1.0, density=1.0)),
        (
            "either a density",
            lambda: arm.link("jib", "B", on=link, length=1.0, density=1.0, mass=2.0),
        ),
        (
            "needs a length, a density",
            lambda: arm.link("jib", "B", on=link, length=1.0, density=1.0, modes=1),
        ),
        (
            "must be a link of arm",
            lambda: arm.link("jib", "B", on=boom().links[0], length=1.0, density=1.0),
        ),
        ("not on the link", lambda: arm.payload(link, 1.0, at=3.0)),
        (
            "needs shapes whose tip moves",
            lambda: arm.link(
                "jib",
                "B",
                on=link,
                length=1.0,
                density=1.0,
                EI=1.0,
                modes=1,
                shape="pinned-pinned",
                slope=True,
            ),
        ),
        ("give two links", lambda: arm.close("C", link, link)),
        ("give two links of arm", lambda: arm.close("C", link, boom().links[0])),
        ("give a link of arm", lambda: arm.payload(boom().links[0], 1.0)),
        ("com, x or", lambda: arm.link("jib", "B", on=link, length=1.0, mass=1.0, com=(1, 2, 3))),
        (
            "got True",
            lambda: arm.link("jib", "B", on=link, length=1.0, density=1.0, EI=1.0, modes=True),
        ),
        (
            "shape must be a name",
            lambda: arm.link(
                "jib", "B", on=link, length=1.0, density=1.0, EI=1.0, modes=1, shape=5
            ),
        ),
        (
            "kind must be one of",
            lambda: arm.link("jib", "B", on=link, length=1.0, density=1.0, kind="welded"),
        ),
        ("nothing in it can move", lambda: _still().equations()),
    ):
        with pytest.raises(ModelError, match=match):
            act()
