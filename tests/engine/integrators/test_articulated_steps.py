"""Implicit steps of open trees by articulated bodies: the matrix, the steps, and the way out."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import kinetree as kt
from engine.integrators import trees
from kinetree.assembly.prepare import prepare
from kinetree.engine.dynamics.kinematics import shift_coordinates
from kinetree.engine.equations.interface import evaluate_equations
from kinetree.engine.integrators import integrate as module
from kinetree.engine.integrators.catalogue import find
from kinetree.engine.integrators.memory import ARTICULATED, BODIES, FULL
from kinetree.engine.integrators.methods.adams_formulas import NEXT, WEIGHT
from kinetree.engine.integrators.methods.bdf_formulas import CHANGE, NEWTON
from kinetree.engine.integrators.newton.articulated_step import correct_articulated
from kinetree.engine.integrators.newton.element_derivatives import linearize_elements
from kinetree.engine.integrators.newton.pattern import articulated_layout
from kinetree.engine.integrators.storage import Storage
from kinetree.kernel.decorators import kernel
from kinetree.kernel.tables.workspace import workspace
from kinetree.simulation.run import chosen_formulation

RESTING = {
    "rope": partial(trees.rope, 6, 50.0),
    "spatial": partial(trees.spatial, 6),
    "slender": partial(trees.slender, 6),
    **{name: partial(trees.braced, name, 3) for name in trees.JOINTS},
    "branched": trees.branched,
}


@kernel
def correct_once(tables, work, run):
    """Derivatives of the elements, and one correction; returns a Status."""
    status = linearize_elements(tables, work, run, 0.0)
    return status if status != 0 else correct_articulated(tables, work, run, 0.0)


class Iterate:
    """An iterate of a step: state and accelerations."""

    def __init__(self, model: kt.Model, v: np.ndarray | None = None, a: float = 0.0) -> None:
        assembly = prepare(model, "relative")
        self.tables = assembly.compiled.tables
        self.nq, self.nv = (int(self.tables.settings[0][name]) for name in ("nq", "nv"))
        self.work, self.y = workspace(self.tables), assembly.y.copy()
        if v is not None:
            self.y[self.nq : self.nq + self.nv] = v
        self.a = np.full(self.nv, a)

    def correction(self, c: float, whole: bool = True) -> np.ndarray:
        """dv by the sweeps over the tree, with the whole matrix or a symmetric one."""
        layout, entry, n = articulated_layout(self.tables), find("bdf"), len(self.y)
        storage = Storage(entry, layout, (entry.rows, n), 1)
        vectors = storage.arrays.vectors
        vectors[NEXT], vectors[WEIGHT] = self.y, 1e6
        vectors[CHANGE, self.nq : self.nq + self.nv] = c * self.a
        storage.memory.c, storage.memory.whole_matrix = c, whole
        assert correct_once(self.tables, self.work, storage.arrays) == 0
        return vectors[NEWTON, self.nq : self.nq + self.nv].copy()

    def residual(self, turn: np.ndarray, dv: np.ndarray, da: np.ndarray) -> np.ndarray:
        """M a - f where positions, velocities and accelerations have changed."""
        q, v = self.y[: self.nq].copy(), self.y[self.nq : self.nq + self.nv] + dv
        shift_coordinates(self.tables, q, turn)
        evaluate_equations(self.tables, self.work, 0.0, q, v, self.y[self.nq + self.nv :])
        M = np.tril(self.work.M) + np.tril(self.work.M, -1).T
        return M @ (self.a + da) - self.work.f

    def exact_correction(self, c: float) -> np.ndarray:
        """dv by Newton's equations with central differences of the whole model."""
        zero, columns = np.zeros(self.nv), []
        for k in range(self.nv):
            e = np.zeros(self.nv)
            e[k] = 1e-5
            later = self.residual(e, zero, zero) - self.residual(-e, zero, zero)
            faster = self.residual(zero, e, zero) - self.residual(zero, -e, zero)
            more = self.residual(zero, zero, e) - self.residual(zero, zero, -e)
            columns.append((c * c * later + c * faster + more) / 2e-5)
        J = np.array(columns).T
        return -c * np.linalg.solve(J, self.residual(zero, zero, zero))


@pytest.mark.parametrize("name", RESTING)
@pytest.mark.parametrize("c", [1e-4, 1e-2, 1.0])
def test_at_rest_the_correction_is_that_of_the_exact_matrix(name, c):
    """Inertia, elements, the turning of forces and of hinge columns: nothing is left out there."""
    iterate = Iterate(RESTING[name]())
    exact = iterate.exact_correction(c)
    # one-sided differences of elements with increments of 1.5e-7
    assert_allclose(iterate.correction(c), exact, rtol=0.0, atol=2e-5 * np.abs(exact).max())


def weightless(n: int = 6) -> kt.Model:
    """The stiff chain bent, without gravity: its joints transmit no forces yet."""
    m = kt.Model("weightless chain", gravity=(0, 0, 0))
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        body = m.body(f"b{i}", kt.box(1.0, (0.3, 0.1, 0.05)))
        joint = kt.Universal() if i % 2 else kt.Revolute(axis="y")
        start = {label: 0.1 * (i + 1) for label in joint.labels}
        m.joint(f"j{i}", joint, place, body.at(-0.15, 0, 0), start=start)
        for label in joint.labels:
            m.force(f"s{i}{label}", kt.TorsionSpring(f"j{i}.{label}", 1e3, damping=10.0))
        place = body.at(0.15, 0, 0)
    return m


@pytest.mark.parametrize("c", [1e-4, 1e-2, 1.0])
def test_at_rest_without_loads_the_symmetric_matrix_is_exact(c):
    iterate = Iterate(weightless())
    exact = iterate.exact_correction(c)
    # one-sided differences of elements with increments of 1.5e-7
    assert_allclose(
        iterate.correction(c, whole=False), exact, rtol=0.0, atol=2e-5 * np.abs(exact).max()
    )


def test_under_tension_the_symmetric_matrix_misses_the_turning_of_forces():
    """The reason for the whole matrix: the rope is stiff by its tension alone."""
    iterate = Iterate(RESTING["rope"]())
    exact = iterate.exact_correction(1e-2)
    missed = np.abs(iterate.correction(1e-2, whole=False) - exact).max()
    assert missed > 0.5 * np.abs(exact).max()


@pytest.mark.parametrize("name", ["spatial", "spherical", "branched"])
def test_in_motion_the_correction_misses_only_the_rotation_over_a_step(name):
    """The error relative to the correction falls with c, for velocities of about 1 rad/s."""
    v = np.random.default_rng(3).normal(size=Iterate(RESTING[name]()).nv)
    missed = []
    for c in (1e-3, 1e-4):
        iterate = Iterate(RESTING[name](), v, a=1.0)
        exact = iterate.exact_correction(c)
        missed.append(np.abs(iterate.correction(c) - exact).max() / np.abs(exact).max())
    assert missed[0] < 0.03
    assert missed[1] < 0.15 * missed[0]


def layouts(monkeypatch) -> list[int]:
    """Kinds of matrices of the runs that follow, those after slow steps included."""
    seen = []

    def watch(name):
        original = getattr(module, name)

        def watched(*arguments):
            found = original(*arguments)
            seen.append(found.newton)
            return found

        monkeypatch.setattr(module, name, watched)

    watch("planned")
    watch("layout_after_slow_steps")
    return seen


def both(model, until: float, integrator: str, **options) -> tuple[kt.Solution, kt.Solution]:
    """Runs with the full Jacobian and with the default matrix."""
    full, sol = (
        kt.simulate(
            model(), until, rtol=1e-7, integrator=integrator, output_interval=until / 4, **how
        )
        for how in ({**options, "sparse": False}, options)
    )
    return full, sol


def assert_alike(full: kt.Solution, sol: kt.Solution, tolerance: float) -> None:
    size = float(full.compiled.tables.settings[0]["length"])
    for body in full.model.bodies:
        assert_allclose(
            sol[f"{body}.position"], full[f"{body}.position"], rtol=0.0, atol=tolerance * size
        )


RUNS = {
    "rope": (partial(trees.rope, 15, 50.0), 0.3),
    "heavier rope": (partial(trees.rope, 12, 5e4), 0.02),
    "spatial": (trees.spatial, 0.5),
    "slender": (trees.slender, 0.5),
    **{name: (partial(trees.braced, name), 0.2) for name in trees.JOINTS},
    "branched": (trees.branched, 0.5),
    "contact": (trees.dropped, 0.5),
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("integrator", ["bdf", "switching"])
def test_the_steps_are_those_of_the_full_jacobian(name, integrator, monkeypatch):
    """Iterations that fail would reject steps; most steps have one correction."""
    model, until = RUNS[name]
    seen = layouts(monkeypatch)
    full, sol = both(model, until, integrator)
    assert seen == [FULL, ARTICULATED]
    assert_alike(full, sol, 1e-5)  # 100 tolerances
    if integrator == "bdf":
        tried, needed = (
            one.statistics["accepted"] + one.statistics["rejected"] for one in (full, sol)
        )
        assert needed <= 1.1 * tried + 5
        assert sol.statistics["evaluations"] < full.statistics["evaluations"]


@pytest.mark.parametrize("model", [trees.steered, trees.crossed, trees.lifted])
def test_elements_that_couple_more_keep_a_factorized_matrix(model, monkeypatch):
    """Outputs of controllers, springs between distant bodies, elements with states."""
    seen = layouts(monkeypatch)
    full = kt.simulate(model(), 0.2, rtol=1e-7, integrator="bdf", output_interval=0.1)
    sol = kt.simulate(model(), 0.2, rtol=1e-7, integrator="bdf", output_interval=0.1, sparse=True)
    assert seen == [FULL, BODIES]
    assert_alike(full, sol, 1e-5)  # 100 tolerances


@pytest.mark.parametrize("integrator", ["bdf", "switching"])
def test_slow_convergence_changes_the_matrix(integrator, monkeypatch):
    seen = layouts(monkeypatch)
    full, sol = both(trees.beads, 1.0, integrator)
    assert seen == [FULL, ARTICULATED, FULL]
    assert_alike(full, sol, 1e-5)  # 100 tolerances
    tried, needed = (one.statistics["accepted"] + one.statistics["rejected"] for one in (full, sol))
    assert needed < 1.5 * tried  # the steps before the change are lost


def test_the_change_of_the_matrix_does_not_depend_on_chunks(monkeypatch):
    """It follows from the steps alone, so that a run in pieces has the same bits."""
    ends, original = [], module.integrate
    for pieces in (None, 1, 7):
        monkeypatch.setattr("kinetree.simulation.run.integrate", partial(original, chunk=pieces))
        sol = kt.simulate(trees.beads(), 0.2, rtol=1e-7, integrator="bdf", output_interval=0.1)
        ends.append(sol["b0.position"][-1])
    assert_array_equal(ends[1], ends[0])
    assert_array_equal(ends[2], ends[0])


@pytest.mark.parametrize("model", [trees.spatial, trees.beads, partial(trees.braced, "spherical")])
def test_a_second_run_with_the_same_storage_has_the_same_bits(model):
    """A run that changed its matrix leaves storage behind in which the next one starts anew."""
    assembly = prepare(model(), "relative")
    method, tables = chosen_formulation(None, assembly), assembly.compiled.tables
    work = workspace(tables)
    first, second = (
        module.integrate(
            method.rhs,
            assembly.y,
            0.1,
            project=method.project,
            tables=tables,
            work=work,
            method="bdf",
            rtol=1e-6,
        )
        for _ in range(2)
    )
    assert first.done and second.evaluations == first.evaluations
    assert_array_equal(second.y, first.y)


def test_without_another_matrix_the_run_keeps_its_own(monkeypatch):
    monkeypatch.setattr(module, "layout_after_slow_steps", lambda *_: None)
    sol = kt.simulate(trees.beads(), 0.1, rtol=1e-6, integrator="bdf", output_interval=0.1)
    exact = kt.simulate(trees.beads(), 0.1, rtol=1e-9, integrator="bdf", output_interval=0.1)
    assert sol.success
    assert_alike(exact, sol, 1e-4)  # 100 tolerances


def test_bdf_direct_takes_the_same_steps_of_an_open_tree():
    bdf, direct = (
        kt.simulate(trees.spatial(), 0.3, rtol=1e-7, integrator=name, output_interval=0.1)
        for name in ("bdf", "bdf-direct")
    )
    assert_array_equal(direct["b14.position"], bdf["b14.position"])


def test_a_spinning_wheel_does_not_slow_the_iteration_down(monkeypatch):
    """Wheels at 10,000 rad/s: without their moments the matrix needs 386 steps instead of 257."""
    m = kt.Model("gyroscopes")
    place = m.ground.at(0, 0, 0)
    for i in range(8):
        link = m.body(f"b{i}", kt.box(0.2, (0.1, 0.02, 0.03)))
        m.joint(f"j{i}", kt.Revolute(axis="yz"[i % 2]), place, link.at(-0.05, 0, 0))
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", stiffness=200.0, damping=2.0))
        wheel = m.body(f"w{i}", kt.cylinder(0.3, 0.05, 0.02, along="x"))
        m.joint(f"k{i}", kt.Revolute(axis="x"), link, wheel, speed={"angle": 1e4})
        place = link.at(0.05, 0, 0)
    seen = layouts(monkeypatch)
    full, sol = both(lambda: m, 0.2, "bdf")
    assert seen == [FULL, ARTICULATED]
    tried, needed = (one.statistics["accepted"] + one.statistics["rejected"] for one in (full, sol))
    assert needed <= 1.1 * tried + 5
    assert_alike(full, sol, 1e-5)  # 100 tolerances
