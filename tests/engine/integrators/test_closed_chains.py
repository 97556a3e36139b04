"""Implicit steps of long closed chains, solved body by body: agreement, cost, and the fallback."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import kinetree as kt
from engine.integrators import closed_chains as chains
from engine.integrators.test_structured_steps import layout
from kinetree.assembly.prepare import prepare
from kinetree.engine.integrators import integrate as module
from kinetree.engine.integrators.memory import BODIES, DOFS, FULL
from kinetree.engine.integrators.newton import pattern
from kinetree.kernel.tables.workspace import workspace
from kinetree.simulation.run import chosen_formulation

MODELS = {
    "ring": (chains.ring, 0.4),  # planar in space: redundant rows
    "ladder": (chains.ladder, 0.4),
    "balls": (chains.garland, 0.2),  # several degrees of freedom, distant elements
    "crosses": (partial(chains.garland, joint=kt.Universal()), 0.2),
    "contact": (chains.resting, 0.4),
    "relations": (chains.geared, 0.3),  # rows of joint coordinates, driven by time
    "locked": (chains.truss, 0.4),  # hinges that loops lock
    "tension": (chains.heavy_rope, 0.1),
}
INTEGRATORS = ("bdf", "switching", "bdf-direct")


@pytest.fixture
def by_bodies(monkeypatch):
    """All structured matrices are those over the bodies; the list of kinds that were used."""
    seen = []

    def watched(find, kind):
        def found(*asked):
            layout = find(*asked)
            seen.append(None if layout is None else layout.newton)
            return layout

        return kind, found

    monkeypatch.setattr(
        pattern, "structured_layout", lambda t: pattern.laid_out(t, pattern.Bodies(t))
    )
    for name in ("planned", "layout_after_slow_steps"):
        monkeypatch.setattr(module, *watched(getattr(module, name), name))
    pattern.forget()
    yield seen
    pattern.forget()


def run(model: kt.Model, until: float, integrator: str, **options) -> kt.Solution:
    """A run over the bodies, where the fixture `by_bodies` says so, with few samples."""
    if integrator != "bdf-direct":
        options.setdefault("sparse", True)
    return kt.simulate(
        model, until, rtol=1e-7, integrator=integrator, output_interval=until / 2, **options
    )


def steps(sol: kt.Solution) -> int:
    """Accepted and rejected steps."""
    return sol.statistics["accepted"] + sol.statistics["rejected"]


def assert_alike(full: kt.Solution, sol: kt.Solution, tolerance: float) -> None:
    """The same places of all bodies."""
    size = float(full.compiled.tables.settings[0]["length"])
    for body in full.model.bodies:
        one, other = sol[f"{body}.position"], full[f"{body}.position"]
        assert_allclose(one, other, rtol=0.0, atol=tolerance * size)


def direct_by_degrees(model: kt.Model, until: float, monkeypatch) -> kt.Solution:
    """A run of bdf-direct, which has no full Jacobian, with its matrix over the velocities."""
    with monkeypatch.context() as patch:
        patch.setattr(pattern, "structured_layout", lambda t: pattern.laid_out(t, pattern.Nodes(t)))
        pattern.forget()
        found = run(model, until, "bdf-direct")
    pattern.forget()
    return found


@pytest.mark.parametrize("name", MODELS)
def test_the_steps_are_those_of_the_full_jacobian(name, by_bodies, monkeypatch):
    """A matrix with a missing term converges more slowly, and then steps are rejected.

    The steps of bdf-direct are compared with its own: some models take it more than bdf, with either
    matrix.
    """
    build, until = MODELS[name]
    full = run(build(), until, "bdf", sparse=False)
    direct = direct_by_degrees(build(), until, monkeypatch)
    assert by_bodies == [FULL, DOFS]
    for integrator in INTEGRATORS:
        sol = run(build(), until, integrator)
        assert_alike(full, sol, 1e-5)  # 100 tolerances
        if integrator != "switching":
            assert steps(sol) <= 1.1 * steps(direct if integrator == "bdf-direct" else full) + 5
            assert sol.statistics["evaluations"] <= 2 * full.statistics["evaluations"]
    assert by_bodies == [FULL, DOFS, BODIES, BODIES, BODIES]


@pytest.mark.parametrize(
    "formulation", ["baumgarte", "projection", "partitioning", "overdetermined"]
)
def test_every_formulation_has_the_same_matrix(formulation, by_bodies):
    """The rows of Baumgarte's method have damping and stiffness of their own; without these a run
    needs four times the steps.
    """
    stiff = {"stabilisation": 1e3} if formulation == "baumgarte" else {}
    full, sol = (
        run(chains.ladder(3), 0.2, "bdf", formulation=formulation, sparse=sparse, **stiff)
        for sparse in (False, True)
    )
    assert by_bodies == [FULL, BODIES]
    assert_alike(full, sol, 1e-5)  # 100 tolerances
    assert steps(sol) <= 1.1 * steps(full) + 5


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_slow_convergence_changes_the_matrix(integrator, by_bodies):
    full = run(chains.necklace(), 0.5, "bdf", sparse=False)
    del by_bodies[:]
    sol = run(chains.necklace(), 0.5, integrator)
    assert by_bodies == [BODIES, DOFS if integrator == "bdf-direct" else FULL]
    assert_alike(full, sol, 1e-5)  # 100 tolerances
    assert steps(sol) < 1.5 * steps(full)  # the steps before the change are lost


def test_a_second_run_with_the_same_storage_has_the_same_bits(by_bodies):
    assembly = prepare(chains.ring(8), "relative")
    method, tables = chosen_formulation(None, assembly), assembly.compiled.tables
    work, ends = workspace(tables), []
    for _ in range(2):
        found = module.integrate(
            method.rhs,
            assembly.y,
            0.02,
            project=method.project,
            tables=tables,
            work=work,
            method="bdf",
            rtol=1e-6,
            sparse=True,
        )
        ends.append(found.y)
    assert_array_equal(ends[1], ends[0])


@pytest.mark.parametrize("build", [chains.ring, chains.ladder])
def test_the_cost_grows_with_the_number_of_bodies(build):
    short, long = (layout(build(n)) for n in (150, 300))
    assert short.newton == long.newton == BODIES
    assert short.per_jacobian == long.per_jacobian < 40
    assert 1.9 < long.factors / short.factors < 2.1


def test_short_chains_and_cartesian_coordinates_keep_the_matrix_over_velocities():
    assert layout(chains.ring(60)).newton == DOFS
    assert layout(chains.ladder(8)).newton == DOFS
    assert layout(chains.ring(60), "cartesian").newton == DOFS


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_long_closed_chain_runs_without_a_full_jacobian(integrator, monkeypatch):
    """It falls from rest; Adams takes short steps, but needs no Jacobian."""
    monkeypatch.setattr(module, "MOST_FULL", 100)  # states
    model = chains.ring(150, 20.0, 0.05)
    exact = kt.simulate(model, 2e-3, rtol=1e-9, output_interval=2e-3)
    sol = kt.simulate(model, 2e-3, rtol=1e-7, integrator=integrator, output_interval=2e-3)
    fallen = exact["r75.position.z"][-1] - exact["r75.position.z"][0]
    assert fallen < -1e-6
    for i in (1, 40, 75, 149):
        one, other = sol[f"r{i}.position"][-1], exact[f"r{i}.position"][-1]
        assert np.abs(one - other).max() < 1e-3 * abs(fallen)  # of the motion
    assert sol.constraint_error.max() < 1e-9
