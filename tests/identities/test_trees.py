"""Random open trees (1 to 30 bodies, all joints, random frames): all algorithms agree.

Differences are measured in the energy norm |a|_M = sqrt(a^T M a) relative to |vdot|_M, in which
coordinates of any unit count by their kinetic energy. Body accelerations are compared in the
maximum norm, relative to the largest.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.machine import Machine, cartesian
from support.random_models import random_position, random_tree, structures, trees
from support.witnesses import MUJOCO, PINOCCHIO, mujoco_acceleration, pinocchio_acceleration

EPS = np.finfo(float).eps
RATIOS = [1e2, 1e6]


def bound(state: Machine, ratio: float) -> float:
    """64 eps cond(M), and at most 1e-11 for mass ratios up to 1e2."""
    worst = 64.0 * EPS * np.linalg.cond(state.M) if state.nv else 0.0
    return min(1e-11, worst) if ratio <= 1e2 else worst


def energy_difference(state: Machine, a: np.ndarray, b: np.ndarray) -> float:
    """|a - b|_M / |b|_M."""

    def length(u):
        return np.sqrt(max(u @ state.M @ u, 0.0))

    return length(a - b) / length(b) if state.nv else 0.0


def body_difference(A: np.ndarray, B: np.ndarray) -> float:
    # gravity is the scale of a model that cannot move
    return np.abs(A - B).max() / max(np.abs(B).max(), 9.0)


@given(trees(mass_ratio=1e6))
@settings(max_examples=60)
def test_the_mass_matrix_is_symmetric_and_positive_definite(state):
    assert np.array_equal(state.M, state.M.T)
    if state.nv:
        d = 1.0 / np.sqrt(np.diag(state.M))
        assert np.linalg.eigvalsh(state.M * d * d[:, None])[0] > 0.0


def body_inertia(state: Machine, name: str) -> np.ndarray:
    """6x6 inertia about the user's origin in world axes, from the user's data."""
    R, mass = state.pose(name).R, state.compiled.model.bodies[name].properties
    c = R @ mass.com
    cx = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    I = R @ mass.inertia @ R.T - mass.mass * cx @ cx
    return np.block([[I, mass.mass * cx], [-mass.mass * cx, mass.mass * np.eye(3)]])


@given(trees(mass_ratio=1e6))
@settings(max_examples=40)
def test_the_mass_matrix_is_the_sum_of_jacobian_transpose_inertia_jacobian(state):
    M = sum(
        (
            J.T @ body_inertia(state, n) @ J
            for n, J in ((n, state.jacobian(n)) for n in state.names)
        ),
        np.zeros((state.nv, state.nv)),
    )
    scale = np.sqrt(np.outer(np.diag(M), np.diag(M)))  # an entry is at most this (Cauchy-Schwarz)
    assert np.all(np.abs(state.M - M) <= 1e-12 * scale)


@given(trees(mass_ratio=1e6))
@settings(max_examples=40)
def test_the_mass_matrix_gives_the_kinetic_energy_of_the_bodies(state):
    T = sum(
        0.5 * V @ body_inertia(state, n) @ V for n, V in ((n, state.twist(n)) for n in state.names)
    )
    assert 0.5 * state.v @ state.M @ state.v == pytest.approx(T, rel=1e-12, abs=1e-300)


@given(trees())
@settings(max_examples=40)
def test_velocities_of_the_recursion_are_the_jacobians_times_v(state):
    for name in state.names:
        np.testing.assert_allclose(
            state.jacobian(name) @ state.v,
            state.twist(name),
            rtol=0,
            atol=1e-12 * (1.0 + np.abs(state.twist(name)).max()),
        )


@pytest.mark.parametrize("ratio", RATIOS)
@given(data=st.data())
@settings(max_examples=50)
def test_the_articulated_body_algorithm_inverts_the_mass_matrix(ratio, data):
    state = data.draw(trees(mass_ratio=ratio))
    assert energy_difference(state, state.vdot_tree, state.dense()[0]) <= bound(state, ratio)


@pytest.mark.parametrize("ratio", RATIOS)
@given(data=st.data())
@settings(max_examples=20)
def test_cartesian_coordinates_give_the_same_body_accelerations(ratio, data):
    """The augmented formulation and dense NumPy on free bodies with every joint cut."""
    state = data.draw(trees(mass_ratio=ratio))
    A, free = state.accelerations(state.vdot_tree), cartesian(state)
    assert np.abs(free.G @ free.v).max(initial=0.0) <= 1e-12 * (1.0 + np.abs(free.v).max())
    # the equations solved are those of the free bodies
    worst = max(bound(state, ratio), bound(free, ratio))
    assert body_difference(free.accelerations(free.formulated("augmented")[0]), A) <= worst
    assert body_difference(free.accelerations(free.dense()[0]), A) <= worst


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize(
    "kinds, witness",
    [(PINOCCHIO, pinocchio_acceleration), (MUJOCO, mujoco_acceleration)],
    ids=["pinocchio", "mujoco"],
)
@given(data=st.data())
@settings(max_examples=60)
def test_independent_programs_give_the_same_accelerations(kinds, witness, ratio, data):
    name = witness.__name__.partition("_")[0]
    pytest.importorskip(name, reason=f"the program {name} is not installed (extra `test`)")
    rng, chosen, parents, swapped = data.draw(structures(kinds, swap=False))
    state = random_position(random_tree(rng, chosen, parents, ratio, swapped), rng)
    if state.nv:
        assert energy_difference(state, witness(state), state.vdot_tree) <= bound(state, ratio)
