"""Large models are assembled by sparse algebra, with the same state, rank and redundant joints as
by dense algebra.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import kinetree as kt
from kinetree.analysis.topology import topology_report
from kinetree.assembly import sparse_system
from kinetree.assembly.prepare import prepare
from kinetree.engine.sparsity import choice as analysis
from kinetree.models.n_four_bar import n_four_bar
from kinetree.simulation.slowness import SlowAlgebra


def coupled_wheels(links: int) -> kt.Model:
    """Wheels side by side, each coupled to the next by two rods a quarter turn apart, which never
    fold at the same time.
    """
    m = kt.Model("coupled wheels")
    wheels = [
        m.body(f"wheel{k}", kt.cylinder(5.0, 0.4, 0.1, along="y"), position=(k, 0, 0))
        for k in range(links + 1)
    ]
    for k, wheel in enumerate(wheels):
        given = {"speed": {"angle": 2.0}} if k == 0 else {}
        m.joint(f"axle{k}", kt.Revolute(), m.ground, wheel, at=(k, 0, 0), axis="y", **given)
    for k in range(links):
        for side, pin in (("a", (0.3, 0.2, 0)), ("b", (0, -0.2, 0.3))):
            x, y, z = pin
            rod = m.body(
                f"rod{k}{side}", kt.box(1.0, (1.0, 0.05, 0.05)), position=(k + 0.5 + x, y, z)
            )
            m.joint(f"{side}{k}", kt.Revolute(), wheels[k], rod, at=(k + x, y, z), axis="y")
            m.joint(
                f"{side}{k}'", kt.Revolute(), rod, wheels[k + 1], at=(k + 1 + x, y, z), axis="y"
            )
    return m


def star(loops: int) -> kt.Model:
    """A free body with four-bars of boxes around it, drawn open by 0.1 m."""
    m = kt.Model("star", gravity=(0, 0, -9.81))
    base = m.body("base", kt.box(50.0, (2, 2, 0.5)), angular_velocity=(0.1, 0.2, 0.3))
    m.float(base)
    for k in range(loops):
        turn = 2 * np.pi * k / loops
        axes = np.array(
            [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
        )
        a, b, c = (
            m.body(f"link{k}{n}", kt.box(0.5, (0.3, 0.1, 0.1)), position=tuple(axes @ (x, 0, z)))
            for n, (x, z) in enumerate(((1.0, 0.5), (1.5, 1.0), (2.0, 0.5)))
        )
        for n, (one, other, x, z) in enumerate(
            ((base, a, 1, 0), (a, b, 1, 1), (b, c, 2, 1.1), (base, c, 2, 0))
        ):
            m.joint(
                f"hinge{k}{n}",
                kt.Revolute(),
                one,
                other,
                at=tuple(axes @ (x, 0, z)),
                axis=tuple(axes[:, 1]),
                **({"speed": {"angle": 0.3}} if n == 0 else {}),
            )
    return m


MACHINES = {
    "four-bars": lambda: n_four_bar(8),
    "wheels": lambda: coupled_wheels(3),
    "star": lambda: star(5),
}
each = pytest.mark.parametrize("build", MACHINES.values(), ids=MACHINES)


@pytest.fixture
def everything_is_large(monkeypatch):
    monkeypatch.setattr(sparse_system, "SPARSE_FROM", 0.0)
    monkeypatch.setattr(analysis, "SMALL", 0)


@pytest.fixture
def everything_is_long(monkeypatch, everything_is_large):
    """Every second body of a path is an anchor."""
    monkeypatch.setattr(analysis, "DEPTHS", (1,))


@each
@pytest.mark.parametrize(
    "coordinates, size",
    [
        ("relative", "everything_is_large"),
        ("cartesian", "everything_is_large"),
        ("relative", "everything_is_long"),
    ],
)
def test_a_large_machine_starts_as_by_dense_algebra(build, coordinates, size, request):
    dense = prepare(build(), coordinates, regular=True)
    request.getfixturevalue(size)
    sparse = prepare(build(), coordinates, regular=True)
    # closed to 1e-13 m, at a margin of 0.01 or more
    np.testing.assert_allclose(sparse.q, dense.q, atol=1e-10)
    np.testing.assert_allclose(sparse.v, dense.v, atol=1e-8)
    assert (sparse.rank, sparse.violation < 1e-12) == (dense.rank, True)
    assert sum(n for _, n in sparse.redundant) == sum(n for _, n in dense.redundant)


@each
@pytest.mark.parametrize("size", ["everything_is_large", "everything_is_long"])
def test_its_topology_report_is_the_same(build, size, request):
    dense = str(topology_report(build()))
    request.getfixturevalue(size)
    assert str(topology_report(build())) == dense


@each
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_it_moves_as_by_dense_algebra(build, coordinates):
    dense, sparse = (
        kt.simulate(
            build(),
            0.5,
            coordinates=coordinates,
            sparse=wanted,
            rtol=1e-9,
            output_interval=0.1,
            progress=False,
        )
        for wanted in (False, True)
    )
    for body in build().bodies:
        # 100 tolerances
        np.testing.assert_allclose(sparse[f"{body}.position"], dense[f"{body}.position"], atol=1e-6)


def test_a_change_point_is_still_refused(everything_is_large):
    m = n_four_bar(3)
    for i in range(4):
        m.joints[f"foot{i}"].start["angle"] = np.pi / 2
    with pytest.raises(kt.ModelError, match="change point"):
        prepare(m, regular=True)


def test_a_body_that_can_spin_without_inertia_is_still_refused(everything_is_large):
    m = kt.Model("spinning rod")
    crank, rod, rocker = (
        m.body(n, kt.rod(1.0, length, along="x"), position=p)
        for n, length, p in (
            ("crank", 1.0, (0.5, 0, 0)),
            ("rod", 2.0, (2.0, 0, 0)),
            ("rocker", 1.0, (3.5, 0, 0)),
        )
    )
    m.joint("A", kt.Revolute(), m.ground, crank, at=(0, 0, 0), axis=(0, 1, 1))
    m.joint("B", kt.Spherical(), crank, rod, at=(1, 0, 0))
    m.joint("C", kt.Spherical(), rod, rocker, at=(3, 0, 0))
    m.joint("D", kt.Revolute(), m.ground, rocker, at=(4, 0, 0), axis=(0, 1, -2))
    with pytest.raises(kt.ModelError, match="can turn about"):
        prepare(m, regular=True)


def test_slow_dense_algebra_of_a_large_model_gives_a_warning_with_a_faster_choice():
    with pytest.warns(SlowAlgebra, match="augmented"):
        kt.simulate(
            n_four_bar(130),
            1e-4,
            formulation="overdetermined",
            output_interval=1e-4,
            progress=False,
        )


def test_the_space_for_a_long_open_chain_grows_with_its_length():
    sizes = []
    for n in (50, 100):
        m, before = kt.Model("chain"), None
        for k in range(n):
            link = m.body(f"link{k}", kt.box(1.0, (1.0, 0.1, 0.1)), position=(k + 0.5, 0, 0))
            m.joint(f"hinge{k}", kt.Revolute(), before or m.ground, link, at=(k, 0, 0), axis="y")
            before = link
        work = prepare(m).compiled.workspace(())
        sizes.append(sum(array.nbytes for array in work))
    assert sizes[1] < 2.1 * sizes[0]


def far_ladder(rungs: int, away: float) -> kt.Model:
    """An oblique ladder of parallelograms on a boom of that length: as far from the root of the
    tree as after thousands of rungs.
    """
    m, R = kt.Model("far ladder"), Rotation.from_euler("zyx", (0.7, 0.4, -1.1)).as_matrix()
    base = m.body("boom", kt.box(1.0, (1, 1, 1)))
    m.joint("foot", kt.Revolute(), m.ground, base, at=(0, 0, 0), axis=tuple(R[:, 1]))
    for k in range(rungs):
        feet = [np.array([away + x + 0.3 * k, 0, 0.3 * away + k]) for x in (0.0, 1.0)]
        legs = [
            m.body(
                f"leg{k}{n}", kt.box(1.0, (0.1, 0.1, 1)), position=tuple(R @ (p + (0.15, 0, 0.5)))
            )
            for n, p in enumerate(feet)
        ]
        rung = m.body(
            f"rung{k}", kt.box(1.0, (1, 0.1, 0.1)), position=tuple(R @ (feet[0] + (0.8, 0, 1.0)))
        )
        for n, (leg, p) in enumerate(zip(legs, feet)):
            m.joint(f"low{k}{n}", kt.Revolute(), base, leg, at=tuple(R @ p), axis=tuple(R[:, 1]))
            m.joint(
                f"high{k}{n}",
                kt.Revolute(),
                leg,
                rung,
                at=tuple(R @ (p + (0.3, 0, 1))),
                axis=tuple(R[:, 1]),
            )
        base = rung
    return m


@pytest.mark.parametrize("away", [1.0, 1e3, 3e3, 1e4])
def test_ranks_are_right_however_far_the_loops_are_from_the_root(away, everything_is_long):
    """A planar loop has two independent equations; rounding errors far from the root must neither
    add nor remove one.
    """
    found = prepare(far_ladder(8, away))
    assert len(found.compiled.tables.anchor) and found.compiled.size["ng"] == 40
    assert (found.rank, sum(n for _, n in found.redundant)) == (16, 24)


def pushed_star() -> kt.Model:
    """A star of four-bars whose couplers have given velocities that the joints allow only in part."""
    m = star(3)
    for k in range(3):
        m.bodies[f"link{k}1"] = replace(m.bodies[f"link{k}1"], velocity=np.array([1.0, 0.2, k]))
    return m


@pytest.mark.parametrize("size", ["everything_is_large", "everything_is_long"])
def test_given_body_velocities_are_those_of_dense_least_squares(size, request):
    dense = prepare(pushed_star())
    request.getfixturevalue(size)
    sparse = prepare(pushed_star())
    assert dense.velocity_missed > 1e-3 and isinstance(
        sparse_system.system_of(sparse.compiled), sparse_system.SparseSystem
    )
    np.testing.assert_allclose(sparse.v, dense.v, atol=1e-7)  # 30 rounds of the iteration
