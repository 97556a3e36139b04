"""Backward differentiation of the constrained equations: the motion of other integrators, order."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from engine.integrators.machines import braked, controlled
from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations.catalogue import formulation
from kinetree.engine.integrators import integrate as module
from kinetree.engine.integrators.integrate import integrate
from kinetree.engine.integrators.newton import pattern as newton_pattern
from kinetree.engine.integrators.newton.matrix import KEPT
from kinetree.engine.integrators.run import Run
from kinetree.errors import ModelError
from kinetree.models.catalogue import model_entry
from kinetree.models.four_bar import four_bar
from kinetree.simulation.run import Options, configured, scratch


def driven() -> kt.Model:
    """The linkage with its crank driven to and fro, and a spring."""
    m = four_bar()
    m.constraint("motor", kt.Driver("A.angle", kt.Sine(0.4, 0.5, offset=0.7)))
    m.force(
        "spring",
        kt.SpringDamper(80.0, 2.0),
        m.ground.at(0.5, 0.0, 1.0),
        m.bodies["coupler"].end("+"),
    )
    return m


MACHINES = {
    "braked": (braked, 0.2),
    "driven": (driven, 0.2),
    "controlled": (controlled, 0.2),
    "hydraulic": (model_entry("excavator").build, 0.05),
    "spatial": (model_entry("rssr").build, 0.2),
    "stiff": (model_entry("flyball-governor").build, 0.2),
    "open": (model_entry("double-pendulum").build, 0.3),
}


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_motion_is_that_of_other_integrators(name, coordinates):
    build, until = MACHINES[name]
    reference = kt.simulate(build(), until, rtol=1e-10, output_interval=until / 4)
    sol = kt.simulate(
        build(),
        until,
        rtol=1e-7,
        integrator="bdf-direct",
        coordinates=coordinates,
        output_interval=until / 4,
    )
    assert sol.success and sol.constraint_error.max() < 1e-10  # projected to rounding
    size = float(reference.compiled.tables.settings[0]["length"])
    for body in reference.model.bodies:
        # 100 tolerances
        assert_allclose(
            sol[f"{body}.position"], reference[f"{body}.position"], rtol=0.0, atol=1e-5 * size
        )
    for state in reference.compiled.states:
        scale = np.abs(reference[state]).max()
        # pressures follow stiff oil
        assert_allclose(sol[state], reference[state], rtol=0.0, atol=1e-4 * scale)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_sparse_and_dense_factors_give_the_same_steps(coordinates, monkeypatch):
    runs = []
    for most in (1000, 0):
        monkeypatch.setattr(newton_pattern, "DENSE", most)
        newton_pattern.forget()
        runs.append(
            kt.simulate(
                model_entry("n-four-bar").build(),
                0.1,
                rtol=1e-6,
                integrator="bdf-direct",
                coordinates=coordinates,
                output_interval=0.05,
            )
        )
    full, sparse = runs
    assert sparse.result.accepted == full.result.accepted
    # what Newton's method leaves, a hundredth of the tolerance
    assert_allclose(sparse.y, full.y, rtol=0.0, atol=1e-8)


UNTIL = (0.25, 0.3, 0.35, 0.4)  # several, for an error may pass through zero at one


def ends(monkeypatch, **how) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Mean step, and (q, v, G^T lam) at the ends of runs of a free linkage.

    The multipliers are those of the method itself.
    """
    seen, found = [], []
    monkeypatch.setattr(module, "Run", lambda *a, **k: seen.append(Run(*a, **k)) or seen[-1])
    method, assembly = formulation("augmented"), prepare(four_bar())
    assembly = configured(assembly, method, Options(0.4, chosen={"sparse": False}))
    tables = assembly.compiled.tables
    work = scratch(assembly.compiled, method, module.find("bdf-direct"))
    for until in UNTIL:
        y = integrate(
            method.rhs,
            assembly.y,
            until,
            project=method.project,
            tables=tables,
            work=work,
            **{"method": "bdf-direct", **how},
        ).y
        work.report["fresh"] = 0
        method.rhs(tables, work, until, y.copy(), np.zeros_like(y))
        arrays = seen[-1].arrays
        lam = arrays.unknowns[KEPT][: len(work.lam)] if len(arrays.unknowns) else work.lam
        found.append((*assembly.compiled.split(y)[:2], work.G.T @ lam))
    q, v, pull = map(np.concatenate, zip(*found))
    return sum(UNTIL) / sum(one.memory.accepted for one in seen), q, v, pull


@pytest.fixture(scope="module")
def exact():
    with pytest.MonkeyPatch.context() as patch:
        return ends(patch, method="adams", rtol=1e-12)


@pytest.mark.parametrize("order, rtol", [(1, 1e-5), (2, 1e-5), (3, 1e-6), (4, 1e-7), (5, 1e-8)])
def test_positions_velocities_and_multipliers_converge_with_the_order(
    order, rtol, exact, monkeypatch
):
    """Errors against the mean step of runs at two tolerances, which differ in nothing else."""
    coarse, fine = (ends(monkeypatch, rtol=r, order=order) for r in (rtol, rtol / 100.0))
    for what, true, far, near in zip(
        ("positions", "velocities", "multipliers"), exact[1:], coarse[1:], fine[1:]
    ):
        rate = np.log(np.linalg.norm(far - true) / np.linalg.norm(near - true)) / np.log(
            coarse[0] / fine[0]
        )
        # orders below it at the start; steps are not equal
        assert order - 0.5 < rate < order + 1.5, f"{what}: {rate:.2f}"


def test_tighter_tolerances_give_smaller_errors_at_high_order():
    reference = kt.simulate(four_bar(), 0.5, rtol=1e-12, output_interval=0.5)
    errors, orders = [], []
    for rtol in (1e-5, 1e-7, 1e-9):
        sol = kt.simulate(four_bar(), 0.5, rtol=rtol, integrator="bdf-direct", output_interval=0.5)
        errors.append(np.abs(sol.y[-1] - reference.y[-1]).max())
        orders.append(sol.steps.order.max())
    assert errors[0] > 10.0 * errors[1] > 100.0 * errors[2] and errors[2] < 1e-6  # 1000 tolerances
    assert orders[-1] >= 4


def test_problems_that_it_cannot_solve_are_refused():
    with pytest.raises(
        ModelError,
        match=r"bdf-direct.*solves the constrained equations itself.*augmented, tree",
    ):
        kt.simulate(four_bar(), 0.1, integrator="bdf-direct", formulation="projection")
    with pytest.raises(ModelError, match=r"bdf-direct.*is for mechanisms.*'bdf'"):
        kt.solve_ode(lambda t, y, ydot: None, [1.0], 1.0, integrator="bdf-direct")
