"""Rows that are eliminated before all their degrees of freedom: a platform on many legs."""

import pickle

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.build import build
from kinetree.assembly.prepare import prepare
from kinetree.assembly.reduced import reduced
from kinetree.engine.integrators.newton.pattern import direct_layout
from kinetree.kernel.algebra.elimination_order import (
    FREEDOM,
    ROW,
    Elimination,
    Nodes,
    Pattern,
    least_degree,
)
from kinetree.kernel.algebra.ldl import factor, solve
from kinetree.kernel.algebra.symbolic_factorization import EARLY, lay_out


def platform(n):
    """A disc on n legs: a universal joint, a slide and a ball joint each."""
    m = kt.Model("platform")
    top = m.body("top", kt.cylinder(5.0, 1.0, 0.1, along="z"), position=(0.0, 0.0, 1.0))
    for i in range(n):
        a = 2.0 * np.pi * i / n
        b = a + (0.4 if i % 2 else -0.4)
        foot = np.array([1.5 * np.cos(a), 1.5 * np.sin(a), 0.0])
        head = np.array([np.cos(b), np.sin(b), 1.0])
        _leg(m, i, m.ground, top, foot, head)
    return m


def two_platforms(n):
    """Two discs with n such legs between them; springs drive them apart."""
    m = kt.Model("two platforms", gravity=(0.0, 0.0, 0.0))
    one = m.body("one", kt.cylinder(5.0, 1.0, 0.1, along="z"))
    m.float(one)
    top = m.body("top", kt.cylinder(5.0, 1.0, 0.1, along="z"), position=(0.0, 0.0, 1.0))
    for i in range(n):
        a = 2.0 * np.pi * i / n
        b = a + (0.4 if i % 2 else -0.4)
        foot = np.array([1.5 * np.cos(a), 1.5 * np.sin(a), 0.0])
        head = np.array([np.cos(b), np.sin(b), 1.0])
        _leg(m, i, one, top, foot, head)
        spring = kt.SpringDamper(stiffness=50.0 + i, damping=0.1, length=1.0)
        m.force(f"f{i}", spring, m.bodies[f"low{i}"], m.bodies[f"high{i}"])
    return m


def _leg(m, i, base, top, foot, head):
    along = (head - foot) / np.linalg.norm(head - foot)
    side = np.cross(along, (0.0, 0.0, 1.0))
    side /= np.linalg.norm(side)
    low = m.body(f"low{i}", _rod(0.6, along), position=tuple(foot + 0.3 * along))
    high = m.body(f"high{i}", _rod(0.6, along), position=tuple(head - 0.3 * along))
    cross = kt.Universal(axis1=tuple(side), axis2=tuple(np.cross(along, side)))
    m.joint(f"u{i}", cross, base, low, at=tuple(foot))
    middle = tuple(0.5 * (foot + head))
    m.joint(f"p{i}", kt.Translational(), low, high, at=middle, axis=tuple(along))
    m.joint(f"s{i}", kt.Spherical(), high, top, at=tuple(head))


def _rod(length, along):
    return kt.rod(0.5, length, along=tuple(along), axial=1e-3)


def plate(n, knee=0.3, half=1.0):
    """A plate of two half lengths on n legs of two rods with hinges about y; the knee of the middle leg
    is at `knee`.
    """
    m = kt.Model("plate")
    top = m.body("top", kt.box(mass=5.0, sides=(2.0 * half, 0.1, 0.1)), position=(0.0, 0.0, 1.0))
    for i in range(n):
        x = half * (-1.0 + 2.0 * i / (n - 1))
        foot = np.array([x + 0.6 * x / half + (0.3 if i % 2 else -0.3), 0.0, 0.0])
        head = np.array([x, 0.0, 1.0])
        d = head - foot
        across = np.array([-d[2], 0.0, d[0]]) / np.linalg.norm(d)
        corner = 0.5 * (foot + head) + (knee if i == n // 2 else 0.3) * across
        for name, a, b in ((f"low{i}", foot, corner), (f"high{i}", corner, head)):
            length = float(np.linalg.norm(b - a))
            m.body(name, _rod(length, (b - a) / length), position=tuple(0.5 * (a + b)))
        low, high = m.bodies[f"low{i}"], m.bodies[f"high{i}"]
        m.joint(f"f{i}", kt.Revolute(), m.ground, low, at=tuple(foot), axis=(0, 1, 0))
        m.joint(f"k{i}", kt.Revolute(), low, high, at=tuple(corner), axis=(0, 1, 0))
        m.joint(f"h{i}", kt.Revolute(), high, top, at=tuple(head), axis=(0, 1, 0))
    m.force("push", kt.PointForce((0.0, 0.0, 50.0 * n)), top)
    return m


def early(model, coordinates="relative"):
    return int((prepare(model, coordinates).compiled.tables.kind == EARLY).sum())


@pytest.mark.parametrize("machine", [platform, two_platforms, plate])
def test_factors_of_a_platform_grow_linearly_with_its_legs(machine):
    short, long = (build(machine(n)).tables for n in (60, 120))
    assert (short.kind == EARLY).sum() > 100
    assert len(long.row) <= 2.1 * len(short.row)


def test_factors_in_cartesian_coordinates_grow_linearly_too():
    short, long = (build(platform(n), "cartesian").tables for n in (50, 100))
    assert (short.kind == EARLY).any() and len(long.row) <= 2.1 * len(short.row)


@pytest.mark.parametrize(
    "model, coordinates",
    [(platform(30), "relative"), (platform(20), "cartesian"), (two_platforms(20), "relative")],
    ids=["platform", "platform, Cartesian", "two platforms"],
)
def test_the_motion_is_that_of_dense_factors(model, coordinates):
    """Reactions too: one of them is a Lagrange multiplier of an early row."""
    assert early(model, coordinates)
    options = {"coordinates": coordinates, "rtol": 1e-9, "progress": False}
    sol = kt.simulate(model, 0.05, **options)
    dense = kt.simulate(model, 0.05, sparse=False, **options)
    # a few tolerances of the two runs
    np.testing.assert_allclose(sol["top.position"], dense["top.position"], atol=1e-8)
    force = dense["s3.force"]
    np.testing.assert_allclose(sol["s3.force"], force, atol=1e-5 * np.abs(force).max())


def test_a_leg_that_passes_its_stretched_position_keeps_its_accuracy():
    """Its rows lose their rank over its own hinges; padding and refinement replace it."""
    model = plate(60, knee=0.05)
    assert early(model) == 116  # two rows per leg; two legs are in the tree
    sol = kt.simulate(model, 0.2, rtol=1e-8, progress=False)
    knee = sol["k30.angle"]
    straight = 2.0 * np.arctan(0.05 / (0.5 * np.hypot(1.0, _foot(30, 60) - _head(30, 60))))
    assert np.abs(knee).max() > 1.5 * straight  # it went through and beyond
    dense = kt.simulate(model, 0.2, rtol=1e-8, sparse=False, progress=False)
    assert np.abs(knee - dense["k30.angle"]).max() < 1e-6  # 100 tolerances
    assert sol.constraint_error.max() < 1e-13


@pytest.mark.parametrize("integrator", ["bdf", "bdf-direct"])
def test_implicit_steps_pass_the_stretched_position_of_a_leg(integrator):
    """Factors of their matrix have no padding; the iteration corrects what they lose."""
    model = plate(60, knee=0.05)
    model.force("knee", kt.TorsionSpring("k30.angle", stiffness=0.0, damping=0.1))
    sol = kt.simulate(model, 0.2, integrator=integrator, rtol=1e-7, progress=False)
    exact = kt.simulate(model, 0.2, rtol=1e-10, progress=False)["k30.angle"]
    assert np.abs(exact).max() > 1.5 * 2.0 * np.arctan(0.05 / 0.5)
    # backward differentiation adds up errors of one sign: 100 tolerances
    assert np.abs(sol["k30.angle"] - exact).max() < 1e-5
    assert sol.statistics["rejected"] < 0.2 * sol.statistics["accepted"]


def stiff(model, n):
    """The platform with stiff, damped springs in its legs."""
    spring = kt.SpringDamper(stiffness=1e5, damping=1e4, length=0.8)
    for i in range(n):
        model.force(f"strut{i}", spring, model.bodies[f"low{i}"], model.bodies[f"high{i}"])
    return model


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_matrix_of_implicit_steps_of_a_stiff_platform_grows_linearly(coordinates):
    short, long = (
        direct_layout(prepare(stiff(platform(n), n), coordinates).compiled.tables) for n in (40, 80)
    )
    assert long.factors <= 2.1 * short.factors


@pytest.mark.parametrize("integrator", ["bdf", "bdf-direct"])
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_stiff_platform_moves_as_with_full_jacobians(integrator, coordinates):
    model, options = stiff(platform(20), 20), {"rtol": 1e-7, "progress": False}
    assert early(model, coordinates)
    sol = kt.simulate(model, 0.05, integrator=integrator, coordinates=coordinates, **options)
    full = kt.simulate(model, 0.05, integrator="bdf", sparse=False, **options)
    # a few tolerances of both runs
    np.testing.assert_allclose(sol["top.position"], full["top.position"], atol=2e-6)


def _foot(i, n):
    return 1.6 * _head(i, n) + (0.3 if i % 2 else -0.3)


def _head(i, n):
    return -1.0 + 2.0 * i / (n - 1)


def test_only_the_rows_of_a_leg_that_is_stretched_at_the_start_wait():
    short, long = (prepare(plate(n, knee=0.0)).compiled for n in (60, 120))
    assert len(short.late) == 1  # one group; two legs are in the tree
    assert (short.tables.kind == EARLY).sum() == 116  # those of another leg go early in their place
    assert len(long.tables.row) <= 2.1 * len(short.tables.row)
    again = pickle.loads(pickle.dumps(short))
    assert again.late == short.late and again.hash == short.hash


def test_long_arms_of_other_bodies_do_not_make_a_row_wait():
    """Seen from the foot of the leg in the tree, the last legs of a long plate have arms of 60 m."""
    model = plate(120, half=60.0)
    assert early(model) == 2 * 118


@pytest.mark.parametrize("half", [1.0, 60.0, 400.0])
def test_rows_of_planar_legs_of_a_long_plate_do_not_wait(half):
    """At random positions the ends of its legs are up to 800 m away from it, legs are 0.6 m long."""
    short, long = (reduced(prepare(plate(n, half=half)))[0].compiled.tables for n in (60, 120))
    assert (short.kind == EARLY).sum() == 116 and len(long.row) <= 2.1 * len(short.row)


@pytest.mark.parametrize("half", [1.0, 60.0])
def test_factors_of_planar_legs_grow_linearly_in_cartesian_coordinates(half):
    short, long = (
        reduced(prepare(plate(n, half=half), "cartesian"))[0].compiled.tables for n in (30, 60)
    )
    assert (short.kind == EARLY).sum() >= 56 and len(long.row) <= 2.1 * len(short.row)


def test_redundant_rows_of_a_platform_are_found():
    """Eight rods of constant length for six degrees of freedom: two are redundant."""
    model = platform(40)
    top = model.bodies["top"]
    for k in range(8):
        a = 0.8 * k
        model.constraint(
            f"rod{k}",
            kt.Distance(),
            model.ground.at(2.0 * np.cos(a), 2.0 * np.sin(a + 0.3), -0.2 * k),
            top.at(0.5 * np.cos(1.7 * a), 0.5 * np.sin(1.7 * a), 0.0),
        )
    found = prepare(model)
    assert (found.compiled.tables.kind == EARLY).any()
    assert sum(n for _, n in found.redundant) == 2
    assert {name for name, _ in found.redundant} <= {f"rod{k}" for k in range(8)}


# ---------------------------------------------------------------------------- random patterns


def saddle(rng, copies):
    """A random saddle matrix: legs of random sizes with rows that share the last node, rows between
    neighboring legs, and `copies` rows that depend on others.
    """
    legs = [int(k) for k in rng.integers(2, 5, size=8)]
    supports = [[k, 8] for k in range(8)]
    supports += [[int(k), int(k) + 1] for k in rng.integers(7, size=3)]
    supports += [supports[int(rng.integers(8))] for _ in range(copies)]
    rows = [min(n, int(rng.integers(1, 4))) for n in legs] + [1] * (3 + copies)
    sizes, kinds = [*legs, 3, *rows], [FREEDOM] * 9 + [ROW] * len(rows)
    begin = np.concatenate([[0], np.cumsum(sizes)])
    free = begin[9]
    G = np.zeros((begin[-1] - free, free))
    for c, support in enumerate(supports):
        own = slice(begin[9 + c] - free, begin[10 + c] - free)
        for j in support:
            G[own, begin[j] : begin[j + 1]] = rng.normal(size=(sizes[9 + c], sizes[j]))
        if c >= 11:  # a combination of the rows of an earlier group
            first = supports.index(support)
            copied = G[begin[9 + first] - free : begin[10 + first] - free]
            G[own] = rng.normal(size=len(copied)) @ copied
    pairs = [(9 + c, j) for c, support in enumerate(supports) for j in support]

    def rank(rows, others):
        r = np.concatenate([np.arange(begin[i], begin[i + 1]) - free for i in sorted(rows)])
        o = np.concatenate([np.arange(begin[j], begin[j + 1]) for j in sorted(others)])
        return int(np.linalg.matrix_rank(G[np.ix_(r, o)], tol=1e-6))

    return Pattern(sizes, kinds, pairs, rank=rank), begin, np.diag(1.0 + rng.random(free)), G


@pytest.mark.parametrize("seed", range(30))
def test_pivots_of_rows_are_zero_only_if_they_depend_on_earlier_rows(seed):
    """Dense elimination in the order found; a row that shares unknowns with an early row waits for
    all unknowns of both, so that its pivot measures its independence.
    """
    rng = np.random.default_rng(seed)
    pattern, begin, M, G = saddle(rng, copies=seed % 3)
    found = least_degree(pattern)
    free = len(M)
    K = np.block([[M, G.T], [G, np.zeros((len(G), len(G)))]])
    order = np.concatenate([np.arange(begin[k], begin[k + 1]) for k in found.order])
    early = {u for k in found.early for u in range(begin[k], begin[k + 1])}
    A, before = K[np.ix_(order, order)], np.zeros((0, free))
    for k, u in enumerate(order.tolist()):
        if u >= free:
            row = G[u - free]
            independent = np.linalg.matrix_rank(np.vstack([before, row]), tol=1e-8) > len(before)
            if not independent:
                assert abs(A[k, k]) < 1e-9 and u not in early
                A[k, k:] = A[k:, k] = 0.0
                continue
            assert -A[k, k] > 1e-9
            before = np.vstack([before, row])
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :]) / A[k, k]
    assert len(before) == np.linalg.matrix_rank(G, tol=1e-8)


def test_some_rows_of_the_random_patterns_are_eliminated_early():
    found = [least_degree(saddle(np.random.default_rng(s), 0)[0]).early for s in range(30)]
    assert sum(map(bool, found)) > 10


@pytest.mark.parametrize("left", [1e-2, 1e-4, 1e-9, 0.0])
def test_a_weak_pivot_of_an_early_row_is_padded_and_refined_away(left):
    """Two rows over the hinges of a leg that is nearly stretched, and over a platform that moves
    more easily: the matrix is regular, but its leading part is not.
    """
    G = np.array([[1.0, 0.5, 1.0, 0.0], [2.0, 1.0 + left, 0.3, 1.0]])
    M = np.diag([1.0, 2.0, 0.5, 0.7])
    K = np.block([[M, G.T], [G, np.zeros((2, 2))]])
    nodes = Nodes(np.array([2, 2, 2]), np.array([FREEDOM, FREEDOM, ROW]))
    lists = lay_out(nodes, Elimination([0, 2, 1], [[2], [1], []], 0.0, frozenset([2])))
    A = np.zeros(lists.size)
    for i, j in np.argwhere(np.tril(np.abs(K) > 0.0) | np.eye(6, dtype=bool)):
        A[lists.entry(int(i), int(j))] = K[i, j]
    pad, L, D, own = np.zeros(6), np.zeros(lists.size), np.zeros(6), np.zeros(6)
    pad[lists.place[4:]] = ((G / np.diag(M)) * G).sum(axis=1)
    weak = factor(*lists[1:], np.ones(6, np.int64), pad, A, L, D, own)
    assert (weak > 0) == (left < 0.05)
    b = np.array([1.0, -2.0, 0.3, 0.8, 0.1, -0.4])
    x, residual = np.zeros(6), b.copy()
    for _ in range(4 if weak else 1):
        dx = np.zeros(6)
        dx[lists.place] = residual
        solve(lists.first, lists.row, L, D, dx)
        x += dx[lists.place]
        residual = b - K @ x
    np.testing.assert_allclose(x, np.linalg.solve(K, b), rtol=1e-11)
