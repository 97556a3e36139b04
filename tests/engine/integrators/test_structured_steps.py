"""Steps of BDF and switching over the structure of a model equal those with a full Jacobian."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from engine.integrators.machines import braked, controlled
from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators import integrate as module
from kinetree.engine.integrators.memory import ARTICULATED, BODIES, DOFS, FULL
from kinetree.engine.integrators.newton import pattern as newton_pattern
from kinetree.errors import ModelError
from kinetree.models.catalogue import model_entry
from kinetree.models.four_bar import four_bar
from kinetree.models.n_four_bar import n_four_bar
from kinetree.options import Choice, values
from kinetree.simulation.run import Options, chosen_formulation, configured


def sprung() -> kt.Model:
    """The linkage on a stiff spring with a stiff damper: it creeps into its rest position."""
    m = four_bar()
    m.force("brake", kt.TorsionSpring("A.angle", stiffness=2e4, damping=2000.0))
    return m


def arm(n: int = 4) -> kt.Model:
    """A spatial arm of n ball joints and hinges on a free base.

    Stiff springs act in the hinges, between neighbors and between distant bodies.
    """
    m = kt.Model("springy arm")
    base = m.body("base", kt.box(4.0, (0.5, 0.4, 0.3)))
    m.float(base)
    m.force(
        "hold",
        kt.SpringDamper(4e5, 3e3, length=0.6),
        m.ground.at(0.1, 0.2, 0.9),
        base.at(0.1, 0.0, 0.1),
    )
    before, bodies = base.at(0.2, 0, 0), []
    for i in range(n):
        link = m.body(f"b{i}", kt.box(1.0, (0.3, 0.05, 0.08)))
        if i % 2:
            m.joint(f"j{i}", kt.Spherical(), before, link.at(-0.15, 0, 0))
            m.force(
                f"tie{i}",
                kt.SpringDamper(1e5, 1e3, length=0.25),
                bodies[-1].at(0, 0.1, 0),
                link.at(0, 0.1, 0.02),
            )
        else:
            m.joint(
                f"j{i}",
                kt.Revolute(axis="y"),
                before,
                link.at(-0.15, 0, 0),
                start={"angle": 0.3},
                speed={"angle": 1.0},
            )
            m.force(f"hinge{i}", kt.TorsionSpring(f"j{i}.angle", stiffness=3e4, damping=300.0))
        before = link.at(0.15, 0, 0)
        bodies.append(link)
    m.force("far", kt.SpringDamper(2e4, 500.0, length=0.9), base, bodies[-1])
    return m


def sagging() -> kt.Model:
    """Hinged rods that sink into their rest position under stiff springs.

    Steps become long, so that stiffness limits them.
    """
    m = kt.Model("sagging")
    place, links = m.ground.at(0, 0, 0), []
    for i in range(5):
        link = m.body(f"b{i}", kt.box(0.2, (0.2, 0.02, 0.03)))
        m.joint(
            f"j{i}", kt.Universal() if i == 1 else kt.Revolute(axis="y"), place, link.at(-0.1, 0, 0)
        )
        place = link.at(0.1, 0, 0)
        links.append(link)
    for i in (0, 2, 3, 4):
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", stiffness=400.0, damping=20.0))
    m.force("tie", kt.SpringDamper(3e4, 2e3, length=0.4), m.ground.at(0.1, 0.0, 0.4), links[0])
    m.force("stay", kt.SpringDamper(2e4, 2e3, length=0.25), links[0].at(0, 0.1, 0.1), links[1])
    m.force("cross", kt.SpringDamper(1e4, 2e3, length=0.4), links[1], links[3].at(0, 0, 0.1))
    return m


MACHINES = {
    "sagging": (sagging, 3.0, BODIES),
    "sprung": (sprung, 2.0, DOFS),
    "braked": (braked, 0.2, DOFS),
    "controlled": (controlled, 0.2, DOFS),
    "hydraulic": (model_entry("excavator").build, 0.05, DOFS),
    "spatial": (model_entry("rssr").build, 0.2, DOFS),
    "stiff": (model_entry("flyball-governor").build, 0.2, BODIES),
    "arm": (arm, 0.2, BODIES),
    "open": (model_entry("double-pendulum").build, 0.3, ARTICULATED),
    "points": (model_entry("quarter-car").build, 2.0, ARTICULATED),
}


def layouts(monkeypatch) -> list[int]:
    """Kinds of matrices of the runs that follow."""
    seen, plan = [], module.planned

    def watched(*asked):
        found = plan(*asked)
        seen.append(found.newton)
        return found

    monkeypatch.setattr(module, "planned", watched)
    return seen


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("integrator", ["bdf", "switching"])
def test_the_steps_are_those_of_the_full_jacobian(name, integrator, monkeypatch):
    """A matrix with a missing term converges more slowly, and then the steps differ."""
    build, until, how = MACHINES[name]
    seen = layouts(monkeypatch)
    full, sol = (
        kt.simulate(
            build(),
            until,
            rtol=1e-7,
            integrator=integrator,
            sparse=sparse,
            output_interval=until / 4,
        )
        for sparse in (False, True)
    )
    assert seen == [FULL, how]
    if integrator == "bdf":
        tried, needed = (
            sum(one.statistics[kind] for kind in ("accepted", "rejected")) for one in (full, sol)
        )
        # convergence is as quick, but rounding changes the number of steps of sagging by 3 %;
        # without K it needs 952 where 867 do
        assert needed <= 1.08 * tried + 5
    size = float(full.compiled.tables.settings[0]["length"])
    for body in full.model.bodies:
        # 100 tolerances
        assert_allclose(
            sol[f"{body}.position"], full[f"{body}.position"], rtol=0.0, atol=1e-5 * size
        )
    for state in full.compiled.states:
        # pressures follow stiff oil
        assert_allclose(sol[state], full[state], rtol=0.0, atol=1e-4 * np.abs(full[state]).max())


def chain(n: int) -> kt.Model:
    """Rods on stiff, damped hinges."""
    m = kt.Model("stiff chain")
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        body = m.body(f"b{i}", kt.rod(1.0 / n, 1.0 / n, along="x", axial=1e-2 / n**3))
        m.joint(f"j{i}", kt.Revolute(axis="y"), place, body.end("-"))
        m.force(f"s{i}", kt.TorsionSpring(f"j{i}.angle", stiffness=5.0 * n, damping=0.05 * n))
        place = body.end("+")
    return m


def tied_chain(n: int) -> kt.Model:
    """The same with a spring between its ends."""
    m = chain(n)
    far = kt.SpringDamper(100.0, 1.0, length=1.0)
    m.force("far", far, m.bodies["b0"], m.bodies[f"b{n - 1}"])
    return m


def layout(
    model: kt.Model,
    coordinates: str = "relative",
    sparse: bool | None = None,
    find=newton_pattern.reduced_layout,
) -> newton_pattern.Layout:
    assembly = prepare(model, coordinates)
    method = chosen_formulation(None, assembly)
    chosen = values({}, Choice("formulation", method, FORMULATIONS))
    tables = configured(assembly, method, Options(1.0, chosen=chosen)).compiled.tables
    return find(tables, len(assembly.y), sparse)


def test_the_cost_of_a_chain_grows_with_its_length():
    """Differences are those of a body and its neighbors; factors grow with the bodies."""
    for coordinates in ("relative", "cartesian"):
        short, long = (layout(chain(n), coordinates) for n in (80, 160))
        assert short.per_jacobian == long.per_jacobian < 50
        assert 1.9 < long.factors / short.factors < 2.1


def test_the_cost_grows_with_the_number_of_loops():
    short, long = (layout(n_four_bar(n)) for n in (40, 80))
    assert short.newton == long.newton == DOFS
    assert short.per_jacobian == long.per_jacobian < 50
    assert 1.9 < long.factors / short.factors < 2.1


def test_small_systems_and_sparse_false_use_the_full_jacobian():
    assert layout(four_bar()).newton == FULL
    assert layout(chain(10)).newton == FULL
    assert layout(chain(10), sparse=True).newton == ARTICULATED
    assert layout(chain(11)).newton == ARTICULATED
    assert layout(chain(100), sparse=False).newton == FULL


def test_chains_with_distant_elements_are_factorized_body_by_body():
    assert layout(tied_chain(20)).newton == FULL
    assert layout(tied_chain(20), sparse=True).newton == BODIES
    assert layout(tied_chain(80)).newton == BODIES


def test_factors_body_by_body_grow_with_the_length():
    find = newton_pattern.factored_layout
    short, long = (layout(chain(n), find=find) for n in (80, 160))
    assert short.newton == long.newton == BODIES
    assert short.per_jacobian == long.per_jacobian < 50
    assert 1.9 < long.factors / short.factors < 2.1


def test_the_stiffness_of_a_long_chain_is_found_without_its_jacobian():
    full, sol = (
        kt.simulate(chain(20), 1e-6, integrator="switching", sparse=sparse)
        for sparse in (False, True)
    )
    # twice what successive estimates differ by
    assert sol.steps.stiffness[0] == pytest.approx(full.steps.stiffness[0], rel=0.1)


def test_a_long_chain_runs_without_a_full_jacobian():
    """3500 bodies: a full Jacobian of 7000 states would be refused."""
    m = chain(3500)
    sol = kt.simulate(m, 1e-3, integrator="bdf", rtol=1e-7, output_interval=1e-3)
    assert sol.success
    # the tip falls freely: nothing holds it yet
    assert sol["b3499.position.z"][-1] == pytest.approx(-0.5 * 9.81e-6, rel=0.05)


def test_a_matrix_that_would_fill_is_refused(monkeypatch):
    """A long closed chain in relative coordinates, where all bodies are coupled."""
    monkeypatch.setattr(module, "MOST_FULL", 60)
    monkeypatch.setattr(newton_pattern, "MOST", 500)
    with pytest.raises(
        ModelError,
        match=r"'bdf' stores a full Jacobian here, and the model has 61 states\..*cartesian",
    ):
        kt.simulate(ring(30), 0.01, integrator="bdf")


def ring(n: int) -> kt.Model:
    """A closed chain of n links that hangs from the ground by its first."""
    m = kt.Model("ring")
    radius = 0.5 / np.sin(np.pi / n)
    corners = [
        (radius * np.cos(2 * np.pi * k / n), 0.0, radius * np.sin(2 * np.pi * k / n))
        for k in range(n)
    ]
    links = [
        m.body(
            f"l{k}",
            kt.box(1.0, (0.2, 0.1, 0.1)),
            position=np.mean([corners[k], corners[(k + 1) % n]], axis=0),
        )
        for k in range(n)
    ]
    m.joint("held", kt.Revolute(), m.ground, links[0], at=corners[0], axis="y")
    for k in range(n):
        m.joint(f"j{k}", kt.Revolute(), links[k - 1], links[k], at=corners[k], axis="y")
    return m


def test_rows_of_windows_in_cartesian_coordinates_fill_no_more_the_longer_they_are():
    filled = []
    for n in (10, 40):
        nodes = newton_pattern.Nodes(prepare(n_four_bar(n), "cartesian").compiled.tables)
        filled.append(len(newton_pattern.analyse(nodes.together()).row) / n)
    assert filled[1] < 1.05 * filled[0]
