"""Null-space bases by fronts agree with one basis of the whole model.   [Kim1997; Han1994]

Accelerations, multipliers, motions and selected rows are compared.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kinetree as kt
from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations.catalogue import FORMULATIONS, formulation
from kinetree.kernel.tables.state import Start
from kinetree.kernel.tables.workspace import workspace
from kinetree.models.n_four_bar import n_four_bar
from kinetree.simulation.slowness import SlowAlgebra
from support.compare import difference, well_posed
from support.machine import cartesian
from support.overconstrained import FAMILIES
from support.random_models import mechanisms
from support.yards import locomotive, yard

FIGURE = 1e-11
NULL_SPACE = [f.name for f in FORMULATIONS if "N" in f.storage and f.exact]


def configured(assembly, name: str, local: bool = True):
    method = formulation(name)
    tables = method.configure(
        assembly.compiled.tables, {"sparse": local}, assembly.rank, Start(assembly.t, assembly.y)
    )
    assert not local or len(tables.fronts)
    return method, tables


def evaluated(assembly, name: str, local: bool = True):
    """(vdot, lam, y projected, report) at the assembled state, after two evaluations."""
    method, tables = configured(assembly, name, local)
    work, y = workspace(tables, method.storage), assembly.y.copy()
    for _ in range(2):  # the second evaluation transports the bases of some methods
        assert method.rhs(tables, work, assembly.t, y, np.zeros_like(y)) == 0
        assert method.project(tables, work, assembly.t, y) == 0
    return work.vdot.copy(), work.lam.copy(), y, work.report[0].copy()


@pytest.mark.parametrize("name", NULL_SPACE)
@given(data=st.data())
@settings(max_examples=12)
def test_random_mechanisms_have_the_same_accelerations(name, data):
    state = data.draw(mechanisms())
    assume(well_posed(state, 1e-3))  # digits are lost with the distance to a singular position
    for one in (state, cartesian(state)):
        (whole, push), (local, pushed) = (
            one.formulated(name, sparse=wanted) for wanted in (False, True)
        )
        assert difference(local, whole, 9.0) <= FIGURE
        assert difference(pushed, push, np.abs(one.f).max(initial=0.0)) <= FIGURE


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_random_overconstrained_models_have_the_same_accelerations(coordinates):
    for k in range(2 * len(FAMILIES)):
        assembly = kt.assemble(
            FAMILIES[k % len(FAMILIES)](np.random.default_rng(k)), coordinates=coordinates
        )
        if not assembly.rank:
            continue
        name = NULL_SPACE[k % len(NULL_SPACE)]
        (whole, _, y, report), (local, _, z, found) = (
            evaluated(assembly, name, wanted) for wanted in (False, True)
        )
        assert difference(local, whole, 9.0) <= FIGURE and difference(z, y) <= FIGURE
        assert found["rank"] == report["rank"] == assembly.rank


@pytest.mark.parametrize("name", NULL_SPACE)
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_models_with_many_loops_agree_with_the_augmented_equations(coordinates, name):
    assembly = kt.assemble(yard(np.random.default_rng(3)), coordinates=coordinates)
    vdot, lam, _, report = evaluated(assembly, name)
    method = formulation("augmented")
    tables = method.configure(assembly.compiled.tables, {"sparse": False}, assembly.rank)
    work = workspace(tables, method.storage)
    assert method.rhs(tables, work, assembly.t, assembly.y, np.zeros_like(assembly.y)) == 0
    assert difference(vdot, work.vdot, 9.0) <= 1e-9
    # of redundant rows each choice has its own multipliers
    assert difference(work.G.T @ lam, work.G.T @ work.lam) <= 1e-9
    assert report["rank"] == assembly.rank and np.count_nonzero(lam) <= assembly.rank


def test_fronts_are_as_small_as_the_loops():
    tables = configured(prepare(n_four_bar(40), "relative"), "projection")[1]
    # a window meets the one before in one coordinate
    assert len(tables.fronts) == 40 and tables.fronts["width"].max() == 3
    assert len(tables.z_ids) == 1  # one freedom for all
    tables = configured(prepare(n_four_bar(40), "cartesian"), "projection")[1]
    # one angle, and the body that follows
    assert len(tables.fronts) == 3 * 40 + 1 and tables.fronts["width"].max() == 7


def test_positions_are_projected_by_the_least_change_with_and_without_fronts():
    assembly, rng = prepare(n_four_bar(6), "relative"), np.random.default_rng(6)
    start = assembly.y.copy()
    start[: assembly.compiled.size["nq"]] += 1e-3 * rng.normal(size=assembly.compiled.size["nq"])
    found = []
    for local in (False, True):
        method, tables = configured(assembly, "projection", local)
        work, y = workspace(tables, method.storage), start.copy()
        assert method.project(tables, work, assembly.t, y) == 0
        found.append(y)
    assert np.abs(found[0] - start).max() > 1e-4
    # G+ of independent rows is unique, whoever computes it
    np.testing.assert_allclose(found[1], found[0], rtol=0, atol=1e-11)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_loops_that_depend_on_each_other_at_dead_points_share_a_front(coordinates, angle):
    """Coupling rods on both sides, a quarter turn apart: each pair determines the motion where the
    other is at its dead point, also at the start.
    """
    tables = configured(prepare(locomotive(3, angle), coordinates), "projection")[1]
    shared = [front for front in tables.fronts if front["n_rows"] == 10]
    assert [int(front["rank"]) for front in shared] == [3, 3]


@pytest.mark.parametrize("name", NULL_SPACE)
def test_dead_points_of_some_loops_are_passed_continuously(name):
    runs = [
        kt.simulate(
            locomotive(3),
            2.5,
            formulation=name,
            sparse=local,
            output_interval=0.1,
            rtol=1e-9,
            progress=False,
        )
        for local in (False, True)
    ]
    # without local bases `partitioning-printed` tests errors of the independent coordinates only:
    # it takes fewer steps, and 60 tolerances were seen
    printed = name == "partitioning-printed"
    atol = 1e-7 if printed else 1e-9
    np.testing.assert_allclose(runs[1]["axle0.angle"], runs[0]["axle0.angle"], rtol=0, atol=atol)
    assert printed or abs(len(runs[1].steps.t) - len(runs[0].steps.t)) <= 2
    assert runs[1].constraint_error.max() <= 1e-12


@pytest.mark.parametrize("name", ["projection", "svd-velocity", "partitioning"])
def test_driven_loops_with_velocity_jumps_have_the_same_motion(name):
    runs = [
        kt.simulate(
            yard(np.random.default_rng(1), driven=True),
            0.4,
            formulation=name,
            sparse=local,
            output_interval=0.05,
            rtol=1e-9,
            progress=False,
        )
        for local in (False, True)
    ]
    for channel in ("driven0.angle", "free1.angle"):
        np.testing.assert_allclose(runs[1][channel], runs[0][channel], rtol=0, atol=1e-7)


def test_a_run_with_fronts_is_saved_and_reopened(tmp_path):
    sol = kt.simulate(n_four_bar(12), 0.1, formulation="qr", output_interval=0.02, progress=False)
    assert len(sol.assembly.compiled.tables.fronts) == 12
    sol.save(tmp_path / "windows.h5")
    np.testing.assert_array_equal(
        kt.open_solution(tmp_path / "windows.h5")["beam3.position.z"], sol["beam3.position.z"]
    )


def test_a_warning_about_slow_bases_appears_only_for_large_bases(recwarn):
    kt.simulate(
        n_four_bar(200), 1e-4, formulation="projection", output_interval=1e-4, progress=False
    )
    assert not [w for w in recwarn if issubclass(w.category, SlowAlgebra)]
    with pytest.warns(SlowAlgebra, match="leave out sparse=False"):
        kt.simulate(
            n_four_bar(150),
            1e-5,
            formulation="projection",
            sparse=False,
            output_interval=1e-5,
            progress=False,
        )


def test_a_long_chain_has_no_fronts_and_the_warning_names_a_faster_method():
    m, before = kt.Model("chain"), None
    for k in range(150):
        link = m.body(f"link{k}", kt.box(1.0, (1.0, 0.1, 0.1)), position=(k + 0.5, 0, 0))
        m.joint(f"hinge{k}", kt.Revolute(), before or m.ground, link, at=(k, 0, 0), axis="y")
        before = link
    with pytest.warns(SlowAlgebra, match="augmented"):
        kt.simulate(
            m, 1e-5, coordinates="cartesian", formulation="qr", output_interval=1e-5, progress=False
        )
