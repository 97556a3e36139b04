"""Large random models: sparse factors give the accelerations and multipliers of dense ones."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.formulations.catalogue import formulation
from kinetree.kernel.tables.workspace import workspace
from support.compare import difference
from support.large_models import large_machine

FIGURE = 1e-11  # with margins of 1e-2 rounding costs 1e-12


def solved(assembly, wanted: bool) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and multipliers, by sparse or dense factors."""
    method = formulation("augmented")
    tables = method.configure(assembly.compiled.tables, {"sparse": wanted}, assembly.rank)
    work = workspace(tables, method.storage)
    assert method.rhs(tables, work, 0.0, assembly.y, np.zeros_like(assembly.y)) == 0
    assert work.report[0]["rank"] == assembly.rank and work.report[0]["pivot_margin"] > 1e-3
    return work.vdot, work.lam


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("doubled", [0.0, 0.3])
def test_sparse_and_dense_factors_give_the_same_solution(seed, coordinates, doubled):
    assembly = kt.assemble(large_machine(120, seed, doubled=doubled), coordinates=coordinates)
    # its loops leave no degree of freedom
    assert bool(assembly.redundant) == bool(doubled) or seed in (
        0,
        2,
    )
    (vdot, lam), (vdot_dense, lam_dense) = solved(assembly, True), solved(assembly, False)
    assert difference(vdot, vdot_dense, 9.0) <= FIGURE
    if not assembly.redundant:  # otherwise the multipliers depend on the selected rows
        assert difference(lam, lam_dense, 9.0) <= FIGURE


def test_runs_agree_in_both_coordinates_and_stay_closed():
    model, ends = large_machine(120, 1, doubled=0.3), []
    for coordinates in ("relative", "cartesian"):
        sol = kt.simulate(model, 0.02, coordinates=coordinates, rtol=1e-8, output_interval=0.02)
        assert sol.constraint_error.max() <= 1e-10
        ends.append(
            [
                sol[f"{body}.position.{axis}"][-1]
                for body in list(model.bodies)[1::20]
                for axis in "xyz"
            ]
        )
    # a few steps, each to 1e-8 of the size of the machine
    np.testing.assert_allclose(*ends, atol=1e-8)
