"""Projection onto the constraints with the smallest change in the mass norm and kept factors."""

import numpy as np
import pytest
from scipy.linalg import null_space

from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations import augmented
from kinetree.engine.kkt.projection import close_velocities, newton
from kinetree.engine.kkt.row_selection import factor_rows
from kinetree.kernel.algebra.blas1 import fill
from kinetree.kernel.decorators import inline, kernel
from kinetree.kernel.tables.status import Status
from kinetree.models.catalogue import model_entry

MACHINES = ["andrews", "four-bar"]  # only revolute joints: a change of q is a velocity


def settled(name: str, away: float) -> tuple[np.ndarray, ...]:
    """(q moved, q projected, M and G of the factorization, G at the projected q)."""
    assembly = prepare(model_entry(name).build())
    tables, work, y = assembly.compiled.tables, assembly.compiled.workspace(), assembly.y.copy()
    assert augmented.rhs(tables, work, 0.0, y, np.zeros_like(y)) == 0
    nq, M, G = (
        len(assembly.q),
        work.M.copy(),
        work.G[work.selected[: work.report[0]["rank"]]].copy(),
    )
    y[:nq] += away * np.random.default_rng(8).standard_normal(nq)
    moved = y[:nq].copy()
    assert augmented.project(tables, work, 0.0, y) == 0
    assert work.report[0]["position_error"] < 1e-14
    work.report["fresh"] = 0
    augmented.rhs(tables, work, 0.0, y, np.zeros_like(y))
    return moved, y[:nq], np.tril(M) + np.tril(M, -1).T, G, work.G[work.selected[: len(G)]]


@pytest.mark.parametrize("name", MACHINES)
def test_the_change_lies_in_the_span_of_the_factorized_rows(name):
    moved, q, M, G, _ = settled(name, 1e-3)
    along = null_space(G, rcond=1e-9).T @ M @ (q - moved)
    # rounding of the sum of a few corrections
    assert np.abs(along).max() <= 1e-12 * np.abs(M @ (q - moved)).max()


@pytest.mark.parametrize("name", MACHINES)
def test_the_change_differs_from_the_smallest_one_to_second_order(name):
    shares = []
    for away in (1e-3, 1e-4):
        moved, q, M, _, end = settled(name, away)
        shares.append(
            np.abs(null_space(end, rcond=1e-9).T @ M @ (q - moved)).max()
            / np.abs(M @ (q - moved)).max()
        )
    # in proportion to the way: of second order in all
    assert shares[0] < 0.1 and 5.0 < shares[0] / shares[1] < 20.0


@inline
def stays(tables, work):
    """A correction without effect."""
    fill(work.v_rhs, 0.0)
    return 0, work.v_rhs


@kernel
def stuck(tables, work, t, q, x):
    return newton(tables, work, t, q, x, stays, 0.5, False)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_a_remaining_gap_is_accepted_in_proportion_to_the_length_of_the_model(size):
    assembly = prepare(model_entry("four-bar").build())
    tables, work, q = assembly.compiled.tables, assembly.compiled.workspace(), assembly.q.copy()
    q += 1e-5
    settings = tables.settings.copy()
    settings["length"], settings["accepted"] = size, 0.0
    assert stuck(tables._replace(settings=settings), work, 0.0, q, assembly.x) == Status.NO_CLOSURE
    gap = float(work.report[0]["position_error"])
    assert gap > 1e-7
    for share, status in ((1.1, Status.OK), (0.9, Status.NO_CLOSURE)):
        settings["accepted"] = share * gap / size
        assert stuck(tables._replace(settings=settings), work, 0.0, q, assembly.x) == status


@kernel
def factors(tables, work):
    return factor_rows(tables, work, False)


@pytest.mark.parametrize("apart", [1.0, 1e-3, 1e-6, 1e-9])
def test_rows_are_orthogonal_to_rounding_even_if_nearly_dependent(apart):
    compiled = prepare(model_entry("rssr").build()).compiled
    tables, work = compiled.tables, compiled.workspace()
    rng = np.random.default_rng(4)
    work.G[:] = rng.standard_normal(work.G.shape)
    work.G[2] = work.G[0] - work.G[1] + apart * work.G[2]
    work.report["rank"] = 3
    assert factors(tables, work) == 0
    np.testing.assert_allclose(work.Q @ work.Q.T, np.eye(3), atol=5e-15)  # a few roundings
    np.testing.assert_allclose(np.triu(work.R).T @ work.Q, work.G, atol=1e-14)


@kernel
def closed_velocities(tables, work, t, q, v):
    return close_velocities(tables, work, t, q, v)


@pytest.mark.parametrize("name", MACHINES)
def test_the_velocity_correction_is_reported(name):
    """velocity_correction = |dv| / |v| with the diagonal of M; it detects a change of branch."""
    assembly = prepare(model_entry(name).build())
    tables, work, y = assembly.compiled.tables, assembly.compiled.workspace(), assembly.y.copy()
    assert augmented.rhs(tables, work, 0.0, y, np.zeros_like(y)) == 0
    m = work.M.diagonal().copy()
    before = np.random.default_rng(3).standard_normal(len(assembly.v))
    v = before.copy()
    assert closed_velocities(tables, work, 0.0, assembly.q, v) == Status.OK
    dv = v - before
    np.testing.assert_allclose(
        work.report[0]["velocity_correction"], np.sqrt(m @ dv**2 / (m @ v**2)), rtol=1e-9
    )


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("fast", [1.0, 50.0])
def test_a_velocity_error_is_accepted_in_proportion_to_length_and_speed(size, fast):
    assembly = prepare(model_entry("four-bar").build())
    tables, work, v = (
        assembly.compiled.tables,
        assembly.compiled.workspace(),
        np.full(len(assembly.v), fast),
    )
    assert augmented.rhs(tables, work, 0.0, assembly.y.copy(), np.zeros_like(assembly.y)) == 0
    work.report["rank"] = 0  # no row is selected: there is no correction
    settings = tables.settings.copy()
    settings["length"], settings["accepted"] = size, 0.0
    assert (
        closed_velocities(tables._replace(settings=settings), work, 0.0, assembly.q, v)
        == Status.NO_CLOSURE
    )
    error = float(work.report[0]["velocity_error"])
    for share, status in ((1.1, Status.OK), (0.9, Status.NO_CLOSURE)):
        settings["accepted"] = share * error / (size * fast)
        assert (
            closed_velocities(tables._replace(settings=settings), work, 0.0, assembly.q, v)
            == status
        )
