"""A run reuses the storage of the run before on the same workspace, with identical results."""

import numpy as np
import pytest

from kinetree.engine.integrators.catalogue import find
from kinetree.engine.integrators.integrate import integrate
from kinetree.kernel.tables.records import empty_tables
from kinetree.kernel.tables.workspace import workspace

from .problems import ORBIT_START, orbit

HOW = {
    "adams": {"method": "adams", "rtol": 1e-7},
    "dopri5": {"method": "dopri5", "rtol": 1e-5},
    "dop853": {"method": "dop853", "rtol": 1e-9},
    "rk4": {"method": "rk4", "step": 0.05},
    "bdf": {"method": "bdf", "rtol": 1e-4},
    "sampled": {"method": "adams", "samples": np.linspace(0.0, 3.0, 17)},
    "quadratures": {"method": "dopri5", "quadratures": (0.5,)},
    "stopped": {"method": "dopri5", "breakpoints": (1.0, 2.0)},
    "chunks": {"method": "adams", "chunk": 3},
    "ended": {"method": "dopri5", "rtol": 1e-8, "max_steps": 4},
}


def all_results(result) -> tuple:
    """All results of a run, bit by bit."""
    arrays = (
        result.y,
        result.ydot,
        result.log,
        result.samples_t,
        result.samples_y,
        result.quadratures,
        result.quadratures_end,
    )
    return (
        result.status,
        result.t,
        result.accepted,
        result.rejected,
        result.evaluations,
        *(a.tobytes() for a in arrays),
    )


def run(name: str, work=None):
    return integrate(orbit, ORBIT_START, 3.0, work=work, **HOW[name])


@pytest.mark.parametrize("name", ["adams", "dop853"])
def test_a_tableau_is_never_written(name):
    rows = find("dopri5").coefficients(5)
    before = rows.tobytes()
    work = workspace(empty_tables())._replace(failed=np.zeros(len(ORBIT_START)))
    run("dopri5", work)
    run(name, work)
    assert find("dopri5").coefficients(5).tobytes() == before


@pytest.mark.parametrize("before", HOW)
@pytest.mark.parametrize("name", HOW)
def test_a_run_after_another_equals_the_run_alone(before, name):
    work, alone = workspace(empty_tables()), all_results(run(name))
    work = work._replace(failed=np.zeros(len(ORBIT_START)))
    first = run(before, work)
    kept = all_results(first)
    assert all_results(run(name, work)) == alone
    assert all_results(run(name, work)) == alone
    assert all_results(first) == kept


def test_runs_of_different_sizes_follow_each_other():
    work = workspace(empty_tables())
    for _ in range(2):
        for start in (ORBIT_START, ORBIT_START + [0.0, 0.0]):
            wide = work._replace(failed=np.zeros(len(start)))
            alone, after = (
                integrate(orbit, start, 3.0, work=w, method="dopri5") for w in (None, wide)
            )
            assert all_results(after) == all_results(alone)
