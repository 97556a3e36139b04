"""Steps of `bdf-direct`: how many matrices they factorize, multipliers in the iteration, and the
derivatives that their matrix has.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from engine.integrators.machines import braked
from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations.catalogue import formulation
from kinetree.engine.integrators import integrate as module
from kinetree.engine.integrators.memory import MEMORY, OF_ALL, OF_LOADS
from kinetree.engine.integrators.methods.adams_formulas import NEXT, WEIGHT
from kinetree.engine.integrators.methods.bdf_formulas import NEWTON, ROWS
from kinetree.engine.integrators.newton.direct_steps import advance_unknowns
from kinetree.engine.integrators.newton.load_derivatives import linearize_loads
from kinetree.engine.integrators.newton.matrix import (
    BY_POSITION,
    BY_VELOCITY,
    INERTIA,
    KEPT,
    LAM,
    PAST,
    RIGHT,
)
from kinetree.engine.integrators.newton.multipliers import (
    forget,
    keep,
    predict_multipliers,
)
from kinetree.engine.integrators.newton.pattern import direct_layout
from kinetree.engine.integrators.newton.pattern_lists import load_groups
from kinetree.engine.integrators.run import Run
from kinetree.engine.integrators.storage import empty_arrays
from kinetree.engine.sparsity.step_pattern import Nodes
from kinetree.kernel.algebra.ldl import factor_lu, solve_lu, solve_lu_twice
from kinetree.kernel.algebra.symbolic_factorization import analyse
from kinetree.kernel.decorators import kernel, table
from kinetree.models.catalogue import model_entry
from kinetree.models.four_bar import four_bar
from kinetree.simulation.run import Options, configured, scratch


def windows(n: int) -> kt.Model:
    """A row of four-bars that fall against strong dampers."""
    m = model_entry("n-four-bar").build(n)
    for joint in list(m.joints)[:n]:
        m.force(f"brake {joint}", kt.TorsionSpring(f"{joint}.angle", stiffness=0.0, damping=50.0))
    return m


class Machine:
    """A model with everything that a kernel of a step needs."""

    def __init__(self, model: kt.Model, coordinates: str = "relative") -> None:
        self.method = formulation("augmented")
        assembly = configured(prepare(model, coordinates), self.method, Options(1.0))
        self.assembly, self.tables = assembly, assembly.compiled.tables
        self.work = scratch(assembly.compiled, self.method, module.find("bdf-direct"))

    def run(self, until: float, monkeypatch, **how):
        """Result of a run, and the record of its method."""
        seen: list[Run] = []
        monkeypatch.setattr(module, "Run", lambda *a, **k: seen.append(Run(*a, **k)) or seen[-1])
        self.work.report["factorisations"] = 0
        result = module.integrate(
            self.method.rhs,
            self.assembly.y,
            until,
            project=self.method.project,
            tables=self.tables,
            work=self.work,
            method="bdf-direct",
            **how,
        )
        return result, seen[-1].memory

    def arrays(self, y: np.ndarray):
        """Arrays of a step at a state, with tolerances of one part in a million."""
        layout, vectors = direct_layout(self.tables), np.zeros((ROWS, len(y)))
        vectors[NEXT], vectors[WEIGHT] = y, 1e6
        parts = layout.arrays()._asdict()
        return empty_arrays()._replace(vectors=vectors, memory=table(MEMORY, 1), **parts)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_step_factorizes_one_matrix(coordinates, monkeypatch):
    """The second one, of the projection, is made at the start and again only where it is slow."""
    machine = Machine(windows(20), coordinates)
    result, memory = machine.run(0.1, monkeypatch, rtol=1e-4)
    second = int(machine.work.report["factorisations"][0])
    assert memory.factorizations <= result.accepted + result.rejected + memory.jacobians
    assert second <= 3 + result.accepted // 4
    assert result.accepted > 10


def test_most_steps_need_one_correction_and_keep_their_accuracy(monkeypatch):
    machine = Machine(four_bar())
    exact = Machine(four_bar()).run(0.4, monkeypatch, rtol=1e-11)[0].y
    result, memory = machine.run(0.4, monkeypatch, rtol=1e-7)
    attempts = result.accepted + result.rejected
    derivatives = result.evaluations - memory.factorizations
    assert derivatives < 0.5 * attempts  # start, differences and second corrections
    assert_allclose(result.y, exact, rtol=0.0, atol=100 * 1e-7)  # tolerances


@kernel
def predict(work, run, t, lam):
    """Keep the multipliers of three steps and extrapolate; an event ends the next step early."""
    forget(run)
    for k in range(3):
        keep(run, 0.1 * k, lam[k])
        run.memory[0].t = 0.1 * k
        predict_multipliers(work, run, t)
    keep(run, 0.3, lam[3])
    run.memory[0].t = 0.25
    predict_multipliers(work, run, t)


@pytest.mark.parametrize("order, degree", [(1, 0), (2, 1), (3, 2), (5, 2)])
def test_multipliers_are_extrapolated_with_the_order_of_the_formula(order, degree):
    """A polynomial of the degree is exact; multipliers of a later time than now do not count."""
    machine = Machine(windows(4))
    run, work, ng = machine.arrays(machine.assembly.y), machine.work, len(machine.work.lam)
    work.report["rank"], work.selected[:], run.memory["order"] = ng, np.arange(ng), order
    powers = np.random.default_rng(1).normal(size=(degree + 1, ng))

    def multipliers(t: float) -> np.ndarray:
        return sum(p * t**k for k, p in enumerate(powers))

    lam = np.array([multipliers(0.0), multipliers(0.1), multipliers(0.2), np.full(ng, 1e3)])
    predict(work, run, 0.35, lam)
    assert_allclose(run.unknowns[LAM][:ng], multipliers(0.35), rtol=0.0, atol=1e-12)
    assert run.unknowns[PAST, -1] == 0.2 and run.unknowns[KEPT, -1] == 0.3


@kernel
def measure(tables, work, run, y):
    """The size of a correction of multipliers alone."""
    advance_unknowns(tables, work, run, 1.0, y)


@pytest.mark.parametrize("count", [2, 20])  # dense and packed G
def test_a_change_of_multipliers_is_measured_as_a_velocity(count):
    machine = Machine(windows(count))
    work, tables, y = machine.work, machine.tables, machine.assembly.y
    machine.method.rhs(tables, work, 0.0, y.copy(), np.zeros_like(y))
    run, rank = machine.arrays(y), int(work.report["rank"][0])
    nv, nx = (int(tables.settings[0][name]) for name in ("nv", "nx"))
    run.unknowns[INERTIA][:nv] = np.arange(1.0, nv + 1)
    change = np.zeros(len(work.lam))
    change[work.selected[:rank]] = np.random.default_rng(2).normal(size=rank)
    run.unknowns[RIGHT][nv + nx :] = change
    measure(tables, work, run, y.copy())
    found, nq = run.vectors[NEWTON], int(tables.settings[0]["nq"])
    pushed = np.abs(kt.equations(windows(count)).G.T @ change) / np.arange(1.0, nv + 1)
    assert_allclose(found[nq : nq + nv], pushed, rtol=0.0, atol=1e-12)
    assert pushed.max() > 1e-3


def test_rounding_of_multipliers_across_thin_rods_does_not_stop_the_iteration():
    """A change of a multiplier by rounding turns a thin rod about its axis faster than the tolerance."""
    rtol, steps = 1e-8, {}
    for integrator in ("bdf", "bdf-direct"):
        sol = kt.simulate(
            model_entry("flyball-governor").build(),
            0.3,
            coordinates="cartesian",
            integrator=integrator,
            rtol=rtol,
            progress=False,
        )
        steps[integrator] = sol.statistics["accepted"] + sol.statistics["rejected"]
    assert steps["bdf-direct"] < 1.5 * steps["bdf"]  # the same formulas


def posts(n: int) -> kt.Model:
    """Posts with dampers at their feet, and rods between their tops."""
    m = kt.Model("posts")
    tops = []
    for k in range(n):
        post = m.body(f"post{k}", kt.rod(mass=1.0, length=1.0, along="z"))
        m.joint(f"foot{k}", kt.Revolute(axis="y"), m.ground.at(k, 0, 0), post.end("-"))
        m.force(f"damper{k}", kt.TorsionSpring(f"foot{k}.angle", stiffness=0.0, damping=50.0))
        tops.append(post.end("+"))
    for k in range(1, n):
        m.constraint(f"rod{k}", kt.Distance(1.0), tops[k - 1], tops[k])
    return m


@kernel
def derive(tables, work, run, t):
    return linearize_loads(tables, work, run, t)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("build", [windows, posts])
def test_the_derivatives_of_loads_are_those_of_every_column_alone(build, coordinates, monkeypatch):
    """Groups of columns perturbed together give the same matrices as one column at a time."""
    machine = Machine(build(6), coordinates)
    found = []
    for alone in (False, True):
        if alone:
            module_of = "kinetree.engine.integrators.newton.pattern.color_columns"
            monkeypatch.setattr(module_of, lambda first, row, nodes: np.arange(len(first) - 1))
        run = machine.arrays(machine.assembly.y)
        assert derive(machine.tables, machine.work, run, 0.0) == 0
        found.append(run.entries[[BY_POSITION, BY_VELOCITY]].copy())
    assert_allclose(found[0], found[1], rtol=1e-6, atol=1e-6)  # difference quotients
    assert np.abs(found[0][1]).max() == pytest.approx(50.0, rel=1e-6)  # the dampers


def test_elements_with_states_need_all_derivatives():
    machine = Machine(model_entry("excavator").build())
    nodes = Nodes(machine.tables)
    assert nodes.loaded() is None
    assert all(len(part) == 0 for part in load_groups(nodes, True, *[np.zeros(1)] * 2))


def heavy_rope() -> kt.Model:
    """Light links under a heavy weight, with a driven hinge: their stiffness is geometric."""
    m = kt.Model("rope", gravity=(0, 0, -9.81))
    last, n = m.ground.at(0, 0, 0), 6
    for k in range(n):
        link = m.body(f"link{k}", kt.rod(mass=0.01, length=0.1, along="z"))
        m.joint(f"J{k}", kt.Revolute(axis="y"), last, link.end("+"))
        last = link.end("-")
    weight = m.body("weight", kt.sphere(mass=2000.0, radius=0.1))
    m.joint("W", kt.Revolute(axis="y"), last, weight.at(0, 0, 0))
    m.constraint("guide", kt.Driver("J0.angle", kt.Sine(0.05, 2.0)))
    return m


def test_geometric_stiffness_makes_the_run_take_all_derivatives(monkeypatch):
    _, light = Machine(braked()).run(0.1, monkeypatch, rtol=1e-4)
    _, heavy = Machine(heavy_rope()).run(0.1, monkeypatch, rtol=1e-4)
    assert (light.derivatives, heavy.derivatives) == (OF_LOADS, OF_ALL)


def test_two_right_hand_sides_are_solved_as_one_by_one():
    nodes = Nodes(Machine(windows(12)).tables)
    lists, rng = analyse(nodes.together()), np.random.default_rng(3)
    n = len(lists.first) - 1
    A, B, D = rng.normal(size=lists.size), rng.normal(size=lists.size), np.zeros(n)
    A[:n] += 100.0
    first, row, *runs = (
        np.asarray(part, np.int64)
        for part in (lists.first, lists.row, lists.run_first, lists.run_at, lists.run_count)
    )
    assert factor_lu(first, row, *runs, A, B, D) == -1
    x, y = rng.normal(size=(2, n))
    x[: n // 2] = y[: n // 2] = 0.0  # columns that are skipped
    alone = x.copy(), y.copy()
    solve_lu_twice(first, row, A, B, D, x, y)
    for one, together in zip(alone, (x, y)):
        solve_lu(first, row, A, B, D, one)
        assert_allclose(together, one, rtol=0.0, atol=0.0)
