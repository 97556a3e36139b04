"""Sparse factors agree with dense ones, on random models and beside folds.

Accelerations, multipliers and selected rows are compared.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import kinetree as kt
from kinetree.engine.formulations.catalogue import formulation
from kinetree.engine.kkt.range_space import solve
from kinetree.engine.sparsity import choice as sparse
from kinetree.kernel.decorators import kernel
from kinetree.kernel.tables.workspace import workspace
from support.compare import difference, well_posed
from support.folding import MACHINES
from support.machine import cartesian
from support.overconstrained import FAMILIES
from support.random_models import mechanisms

FIGURE = 1e-11


def compared(state) -> float:
    """Largest difference of accelerations and constraint forces, sparse and dense."""
    (dense, push), (sparse, pushed) = (
        state.formulated("augmented", sparse=wanted) for wanted in (False, True)
    )
    return max(
        difference(sparse, dense, 9.0), difference(pushed, push, np.abs(state.f).max(initial=0.0))
    )


@given(data=st.data())
@settings(max_examples=60)
def test_random_mechanisms_have_the_same_accelerations(data):
    state = data.draw(mechanisms())
    # digits are lost with the square of the distance to a singular position
    assume(well_posed(state, 1e-3))
    assert compared(state) <= FIGURE
    assert compared(cartesian(state)) <= FIGURE


@pytest.mark.parametrize("deep", [0, 1, 3])
@given(data=st.data())
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_mechanisms_with_anchors_have_the_same_accelerations(data, deep, monkeypatch):
    monkeypatch.setattr(sparse, "DEPTHS", (deep,))
    state = data.draw(mechanisms())
    assume(well_posed(state, 1e-3))
    assert compared(state) <= FIGURE


@pytest.mark.parametrize(
    "coordinates, deep", [("relative", None), ("cartesian", None), ("relative", 0), ("relative", 1)]
)
def test_random_overconstrained_models_have_the_same_accelerations(coordinates, deep, monkeypatch):
    monkeypatch.setattr(sparse, "DEPTHS", (deep,))
    method = formulation("augmented")
    for k in range(2 * len(FAMILIES)):
        assembly, found = (
            kt.assemble(
                FAMILIES[k % len(FAMILIES)](np.random.default_rng(k)), coordinates=coordinates
            ),
            [],
        )
        for wanted in (False, True):
            tables = method.configure(assembly.compiled.tables, {"sparse": wanted}, assembly.rank)
            work = workspace(tables, method.storage)
            assert method.rhs(tables, work, 0.0, assembly.y, np.zeros_like(assembly.y)) == 0
            found.append(work.vdot)
        assert difference(*found, 9.0) <= FIGURE


def in_extended_precision(K: np.ndarray, b: np.ndarray) -> np.ndarray:
    """K^-1 b by elimination with row pivoting, with 64 bits of mantissa instead of 53."""
    A = np.column_stack([K, b]).astype(np.longdouble)
    for k in range(len(A)):
        best = k + int(np.argmax(np.abs(A[k:, k])))
        A[[k, best]] = A[[best, k]]
        A[k + 1 :] -= np.outer(A[k + 1 :, k] / A[k, k], A[k])
    x = np.zeros(len(A), np.longdouble)
    for k in range(len(A) - 1, -1, -1):
        x[k] = (A[k, -1] - A[k, k + 1 : -1] @ x[k + 1 :]) / A[k, k]
    return x


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize(
    "coordinates, deep", [("relative", None), ("cartesian", None), ("relative", 0), ("relative", 1)]
)
@pytest.mark.parametrize("d, figure", [(1e-1, 1e-13), (1e-3, 1e-11), (1e-5, 1e-9), (2e-6, 5e-9)])
def test_beside_a_fold_the_error_is_that_of_the_rounded_matrix(
    machine, coordinates, deep, d, figure, monkeypatch
):
    """Rounding e of M and G costs e / d of the accelerations at a distance d with every solver.

    Without refinement the error is e / d^2. The selected rows are compared, because for redundant
    equations each selection of rounded rows is another problem.
    """
    monkeypatch.setattr(sparse, "DEPTHS", (deep,))
    assembly, method = (
        kt.assemble(machine.build(d, 1.0, gravity=1.0), coordinates=coordinates),
        formulation("augmented"),
    )
    tables = {
        s: method.configure(assembly.compiled.tables, {"sparse": s}, assembly.rank)
        for s in (False, True)
    }
    assert (deep is not None) == (len(tables[True].anchor) > 0)
    work = {s: workspace(tables[s], method.storage) for s in tables}
    for s in tables:
        assert method.rhs(tables[s], work[s], 0.0, assembly.y, np.zeros_like(assembly.y)) == 0
    rows = work[True].selected[: assembly.rank]
    M, G = np.tril(work[False].M) + np.tril(work[False].M, -1).T, work[False].G[rows]
    K = np.block([[M, G.T], [G, np.zeros((len(G), len(G)))]])
    exact = in_extended_precision(K, np.concatenate([work[True].f, work[True].gamma[rows]]))[
        : len(M)
    ]
    assert difference(work[True].vdot, exact.astype(float), 1.0) <= figure


@kernel
def solved(tables, work, r1, r2, lam):
    solve(tables, work, r1, r2, lam)
    return 0


@pytest.mark.parametrize("coordinates, deep", [("cartesian", None), ("relative", 0)])
@pytest.mark.parametrize("d", [3e-3, 1e-3, 1e-4, 1e-5, 4e-6])
def test_beside_a_fold_rows_are_satisfied_to_rounding_for_every_load(
    coordinates, deep, d, monkeypatch
):
    """Every right-hand side is allowed, such as that of a projection.

    The rods have inertia about all axes, so that nothing is padded. Without refinement the rows are
    violated by 1e-14 of the solution, and in relative coordinates the accelerations by eps / d.
    """
    monkeypatch.setattr(sparse, "DEPTHS", (deep,))
    assembly = kt.assemble(
        MACHINES["parallelogram"].build(d, 1.0, gravity=1.0, axial=0.01), coordinates=coordinates
    )
    method = formulation("augmented")
    tables = {
        s: method.configure(assembly.compiled.tables, {"sparse": s}, assembly.rank)
        for s in (False, True)
    }
    work = {s: workspace(tables[s], method.storage) for s in tables}
    for s in tables:
        assert method.rhs(tables[s], work[s], 0.0, assembly.y, np.zeros_like(assembly.y)) == 0
    assert work[True].report[0]["padded"] == 0
    M, G = (
        np.tril(work[False].M) + np.tril(work[False].M, -1).T,
        work[False].G[work[True].selected[: assembly.rank]],
    )
    K, n, rng, rows, off = (
        np.block([[M, G.T], [G, np.zeros((len(G), len(G)))]]),
        len(M),
        np.random.default_rng(1),
        [],
        [],
    )
    for _ in range(20):
        b = K @ rng.standard_normal(len(K))
        exact = in_extended_precision(K, b).astype(float)
        a, r2, lam = b[:n].copy(), np.zeros(len(work[True].g)), np.zeros(len(work[True].g))
        r2[: len(G)] = b[n:]
        solved(tables[True], work[True], a, r2, lam)
        rows.append(np.abs(G @ a - b[n:]).max() / np.abs(exact).max())
        off.append(np.abs(a - exact[:n]).max() / np.abs(exact).max())
    assert max(rows) < 2e-15  # some roundings
    assert max(off) < (4e-15 if coordinates == "relative" else 1e-16 / d)
