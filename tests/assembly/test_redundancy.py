"""Redundant constraints are counted exactly, named, and do not change the motion; contradictions
are refused.
"""

from types import SimpleNamespace

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.topology import singularity
from kinetree.assembly.change_points import BlockRank, examine, gaining
from kinetree.assembly.components import connected_blocks
from support.linkages import bennett, bricard, door, four_bar
from support.results import coordinate, positions, states

FIGURE = 1e-9
both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
TILT = (0.3, -0.2, 1.0)


def spare(receipt) -> int:
    return sum(count for _, count in receipt.redundant)


def run(model, until=1.0, coordinates="relative"):
    return kt.simulate(
        model,
        until,
        rtol=1e-12,
        output_interval=until / 20,
        coordinates=coordinates,
        progress=False,
    )


# model, mobility, redundant equations, the joint that carries them in relative coordinates
CASES = {
    "four-bar in space": (four_bar, 1, 3, "C"),
    "four-bar closed just so": (lambda: four_bar("spatial"), 1, 0, None),
    "door on one hinge": (lambda: door(1), 1, 0, None),
    "door on two hinges": (lambda: door(2), 1, 5, "hinge1"),
    "door on straight hinges": (lambda: door(2, axis=(0, 0, 1)), 1, 5, "hinge1"),
    "weld given twice": (lambda: door(2, joint=kt.Fixed), 0, 6, "hinge1"),
    "slide given twice": (lambda: door(2, joint=kt.Translational), 1, 5, "hinge1"),
    "bennett": (lambda: bennett(0.9)[0], 1, 3, "R3"),
    "bricard": (bricard, 1, 1, None),
}


@pytest.mark.parametrize("name", CASES)
@both
def test_rank_and_redundant_equations_are_counted_exactly(name, coordinates):
    make, mobility, redundant, owner = CASES[name]
    receipt = kt.assemble(make(), coordinates=coordinates)
    assert receipt.mobility == mobility
    assert spare(receipt) == redundant
    assert receipt.rank + spare(receipt) == receipt.compiled.size["ng"]
    if owner and coordinates == "relative":
        assert receipt.redundant == ((owner, redundant),)


@pytest.mark.parametrize("name", CASES)
def test_the_report_has_the_same_rank_and_redundant_equations(name):
    make, mobility, redundant, _ = CASES[name]
    report = make().topology()
    assert report.mobility == mobility and sum(n for _, n in report.redundant) == redundant
    assert ("redundant" in str(report)) == (redundant > 0)


def test_a_joint_given_again_between_bodies_locked_together_changes_nothing():
    """Every row of the second weld is rounding noise, which must not become an equation of motion."""

    def pendulum(welds: int) -> kt.Model:
        model = kt.Model("welded", gravity=(1.0, 2.0, -9.0))
        a, b = model.body("a", kt.sphere(1.0, 0.3)), model.body("b", kt.sphere(2.0, 0.2))
        model.joint(
            "J", kt.Cylindrical(axis=TILT), model.ground.at(0.1, 0.2, 0.3), a.at(0.3, -0.4, 0.5)
        )
        for k in range(welds):
            turn = ("zyx", (0.3 + k, 0.2, 0.5))
            ends = a.at(0.2 + 0.1 * k, 0.1, 0.4, turn), b.at(0.3 + 0.1 * k, -0.2, 0.1, turn)
            model.joint(f"weld{k}", kt.Fixed(), *ends)
        return model

    once, twice = run(pendulum(1)), run(pendulum(2))
    assert kt.assemble(pendulum(2)).rank == 0
    np.testing.assert_allclose(
        coordinate(twice, "J.angle"), coordinate(once, "J.angle"), atol=FIGURE
    )


@both
def test_a_four_bar_moves_the_same_with_and_without_redundant_equations(coordinates):
    plain, redundant = run(four_bar("spatial", A=0.7), 2.0), run(four_bar(A=0.7), 2.0, coordinates)
    for body in ("crank", "coupler", "rocker"):
        np.testing.assert_allclose(positions(redundant, body), positions(plain, body), atol=FIGURE)
    assert np.isfinite(redundant.lam).all() and np.ptp(coordinate(redundant, "A.angle")) > 0.5


@both
@pytest.mark.parametrize("hinges", [2, 3, 5])
def test_a_door_moves_the_same_on_any_number_of_hinges(coordinates, hinges):
    one, many = run(door(1)), run(door(hinges), coordinates=coordinates)
    np.testing.assert_allclose(positions(many, "leaf"), positions(one, "leaf"), atol=FIGURE)
    assert np.isfinite(many.lam).all() and np.ptp(coordinate(one, "hinge0.angle")) > 0.3


@pytest.mark.parametrize("theta", [0.5, 0.9, 2.0, -1.2])
def test_bennetts_loop_closes_at_the_angles_of_its_formula(theta):
    model, angles = bennett(theta)
    receipt = kt.assemble(model)
    assert receipt.violation_before <= 1e-14 and receipt.mobility == 1
    for k, angle in enumerate(angles):
        assert receipt.coordinates[f"R{k + 1}.angle"] == pytest.approx(angle, abs=1e-12)


@both
def test_bennetts_loop_keeps_its_formula_while_it_moves(coordinates):
    """tan(t1 / 2) tan(t2 / 2) is constant along the motion."""
    sol = run(bennett(0.9)[0], 1.0, coordinates)
    product = np.tan(0.5 * coordinate(sol, "R1.angle")) * np.tan(0.5 * coordinate(sol, "R2.angle"))
    assert np.ptp(coordinate(sol, "R1.angle")) > 0.3
    np.testing.assert_allclose(product, product[0], rtol=1e-8)


@both
def test_bricards_loop_moves_and_stays_closed(coordinates):
    sol = run(bricard(), 1.0, coordinates)
    assert np.ptp(coordinate(sol, "R1.angle")) > 0.3
    assert max(np.abs(s.g).max() for s in states(sol)) <= 1e-11


@both
@pytest.mark.parametrize("fault, value", [("shift", 0.01), ("tilt", 0.02)])
def test_contradictory_hinges_are_refused_by_name(coordinates, fault, value):
    with pytest.raises(kt.AssemblyError, match="hinge1"):
        kt.assemble(door(2, **{fault: value}), coordinates=coordinates)


def test_contradictory_drivers_are_refused_by_name():
    model = four_bar(A=0.7)
    model.constraint("fast", kt.Driver("A.angle", kt.Ramp(2.0, start=0.7)))
    model.constraint("slow", kt.Driver("A.angle", kt.Ramp(1.0, start=0.7)))
    with pytest.raises(kt.AssemblyError, match=r"slow|fast"):
        kt.assemble(model)


def test_drivers_that_repeat_each_other_do_no_harm():
    model = four_bar(A=0.7)
    for name in ("one", "two"):
        model.constraint(name, kt.Driver("A.angle", kt.Ramp(1.0, start=0.7)))
    sol = run(model)
    np.testing.assert_allclose(coordinate(sol, "A.angle"), 0.7 + sol.t, atol=1e-11)
    assert spare(sol.assembly) == 4


def twist_beam(joint, twist: float = 0.0) -> kt.Model:
    """Two trailing arms on ball joints, joined off the line of these: with a hinge they can twist
    in one position only.
    """
    model = kt.Model("twist beam")
    shape = kt.box(10.0, (0.4, 0.6, 0.1))
    left, right = (
        model.body(name, shape, position=(-0.15, y, 0.05))
        for name, y in (("left", 0.3), ("right", -0.3))
    )
    model.joint("SL", kt.Spherical(), model.ground, left, at=(0, 0.6, 0))
    model.joint("SR", kt.Spherical(), model.ground, right, at=(0, -0.6, 0))
    model.joint("beam", joint, left, right, at=(-0.15, 0, 0.05))
    model.joints["beam"].start["angle"] = twist
    return model


def test_an_equation_redundant_in_this_position_only_is_reported_as_a_change_point():
    report = twist_beam(kt.Revolute(axis="y")).topology()
    assert (report.mobility, report.mobility_nearby, report.redundant) == (2, 1, ())
    words = " ".join(str(report).split())
    assert (
        "2 in this position, 1 next to it" in words
        and "change point" in words
        and "unaffected" not in words
    )
    with pytest.raises(kt.ModelError, match="change point"):
        kt.simulate(twist_beam(kt.Revolute(axis="y")), 0.1)


@pytest.mark.parametrize("twist", [0.0, 0.1])
def test_a_beam_that_may_also_slide_twists_everywhere(twist):
    report = twist_beam(kt.Cylindrical(axis="y"), twist).topology()
    assert (report.mobility, report.mobility_nearby, report.change_point) == (2, 2, "")


def flat_parallelograms(n: int, joined: bool = False) -> kt.Model:
    """Parallelograms drawn flat, side by side; joined, each stands on the coupler of the one
    before.
    """
    model, base = kt.Model("flat"), None
    for k in range(n):
        a, b, c = (
            model.body(f"{name}{k}", kt.rod(1.0, 2.0 if name == "b" else 1.0, along="x"))
            for name in "abc"
        )
        left, right = (
            (base.at(-1, 0, 0), base.at(1, 0, 0))
            if base
            else (model.ground.at(0, k, 0), model.ground.at(2, k, 0))
        )
        model.joint(f"A{k}", kt.Revolute(axis="y"), left, a.end("-"))
        model.joint(f"B{k}", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
        model.joint(f"C{k}", kt.Revolute(axis="y"), b.end("+"), c.end("+"))
        model.joint(f"D{k}", kt.Revolute(axis="y"), right, c.end("-"))
        base = b if joined else None
    return model


def test_equations_redundant_everywhere_are_distinguished_from_those_redundant_here():
    """A parallelogram drawn flat: three equations are redundant everywhere, one more in this
    position.
    """
    report = flat_parallelograms(1).topology()
    assert (report.mobility, report.mobility_nearby, report.redundant) == (2, 1, (("C0", 3),))
    words = " ".join(str(report).split())
    assert (
        "3 of the 5 equations of joint 'C0' are redundant: the loop is planar" in words
        and "loses 1 of 2" in words
    )


@pytest.mark.parametrize("joined", [False, True], ids=["apart", "joined"])
@pytest.mark.parametrize("n", [3, 60])
def test_many_change_points_at_once_are_as_many_times_one(n, joined):
    """Sixty are solved by sparse algebra and examined block by block."""
    model = flat_parallelograms(n, joined)
    report = model.topology()
    assert (report.mobility, report.mobility_nearby) == (2 * n, n)
    assert (
        report.redundant == tuple((cut.name, 3) for cut in report.tree.cuts)
        and len(report.redundant) == n
    )
    assert set(singularity(model).loops) == {cut.name for cut in report.tree.cuts}


def test_one_change_point_among_loops_that_are_none_is_the_only_one_named():
    model = flat_parallelograms(60)
    for k in range(60):
        if k != 37:
            model.joints[f"A{k}"].start["angle"] = 0.1 + 0.01 * k
    report = model.topology()
    assert (report.mobility, report.mobility_nearby) == (61, 60) and sum(
        n for _, n in report.redundant
    ) == 180
    assert "closed by 'C37' (joints A37, B37, C37, D37) loses 1 of 120 independent" in " ".join(
        report.change_point.split()
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_rank_gained_row_by_row_is_that_of_all_rows(seed):
    """Against the definition: one rank for all rows up to each, rank(G + s T) = rank G + rank(U^T T
    N).
    """
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 9)), int(rng.integers(1, 9))
    # equations that repeat others anywhere: G = C H, T = C H'
    C, r = (
        rng.normal(size=(m, min(m, 3))),
        int(rng.integers(0, 3)),
    )
    C, H = C[:, : int(rng.integers(0, 4))], rng.normal(size=(2, min(m, 3), n))
    G, T = (C @ h[: C.shape[1]] for h in H)
    T = T + rng.normal(size=(m, r)) @ rng.normal(size=(r, n))
    ranks = [nearby_rank(G[:k], T[:k]) for k in range(m + 1)]
    part = BlockRank(
        np.arange(m),
        G,
        np.arange(n),
        np.linalg.svd(G, compute_uv=False),
        0,
        0,
        np.zeros((m, 0)),
        0.0,
        T,
    )
    np.testing.assert_array_equal(gaining(part, 1e-8, 1e-8), np.diff(ranks) > 0)


def nearby_rank(G, T):
    if not len(G):
        return 0
    U, s, Vt = np.linalg.svd(G)
    rank = int(np.sum(s > 1e-8))
    return rank + int(
        np.sum(np.linalg.svd(U[:, rank:].T @ T @ Vt[rank:].T, compute_uv=False) > 1e-8)
    )


def test_a_constraint_counts_with_all_its_equations():
    model = four_bar()
    model.constraint("drive", kt.Driver("A.angle", 0.3))
    assert model.topology().extra == (("drive", 1),)


@pytest.mark.parametrize("seed", range(5))
def test_blocks_are_found_for_any_order_of_rows_and_columns(seed):
    """A block matrix with permuted rows and columns is split into the blocks it was made of."""
    rng = np.random.default_rng(seed)
    sizes = [(2, 3), (1, 1), (3, 2), (4, 4)]
    whole = np.zeros((sum(m for m, _ in sizes), sum(n for _, n in sizes)))
    corners = np.cumsum([(0, 0), *sizes], axis=0)
    for (i, j), (m, n) in zip(corners, sizes):
        whole[i : i + m, j : j + n] = rng.uniform(1.0, 2.0, (m, n))
    whole = whole[rng.permutation(len(whole))][:, rng.permutation(whole.shape[1])]
    row, column = np.nonzero(whole)
    blocks = connected_blocks(row, column, *whole.shape)
    found = blocks._cut(
        row,
        column,
        whole[row, column],
        SimpleNamespace(scale=np.zeros(len(whole)), natural=whole[0]),
    )
    assert sorted(G.shape for G in found) == sorted(sizes)
    for rows, columns, G in zip(*blocks, found):
        np.testing.assert_array_equal(G, whole[np.ix_(rows, columns)])
        assert np.count_nonzero(whole[rows]) == np.count_nonzero(whole[:, columns]) == G.size


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_lost_rank_is_found_from_any_direction(order):
    """Two equations vanish; along one motion no rank is gained, along another one, along the third
    two.
    """
    part = BlockRank(
        np.arange(2), np.zeros((2, 2)), np.arange(2), np.zeros(2), 0, 0, np.zeros((2, 0))
    )
    turnings = [np.zeros((2, 2)), np.diag([1.0, 0.0]), np.diag([1.0, 0.5])]
    for k in order:
        # no equation moves anything: all is free
        examine(part, np.eye(2), np.zeros((0, 2)), turnings[k], 1e-5)
    assert part.lost.shape[1] == 2 and part.nearby == 2 and part.here == 0
    np.testing.assert_array_equal(part.T, turnings[2])
