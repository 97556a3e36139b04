"""Anchors: bodies taken out of the tree in the linear equations, to avoid fill-in of loops."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.build import build
from kinetree.engine.dynamics.anchors import (
    add_tree_forces,
    forces_on_unknowns,
    tree_to_unknowns,
    unknowns_to_tree,
)
from kinetree.engine.dynamics.kinematics import kinematics
from kinetree.engine.dynamics.packed import packed_jacobian
from kinetree.engine.formulations.catalogue import formulation
from kinetree.engine.sparsity import choice as sparse
from kinetree.kernel.algebra.elimination_order import BODY, ROW, Pattern, Ties, least_degree
from kinetree.kernel.tables.workspace import workspace

JOINTS = [
    kt.Revolute(axis="y"),
    kt.Universal(),
    kt.Screw(axis="z", pitch=0.3),
    kt.Spherical(),
    kt.Cylindrical(axis="x"),
    kt.Planar(),
]


def chain() -> kt.Model:
    """Bodies on joints of all sizes with a rod from the last to the ground.

    The first two are coupled, the third is driven.
    """
    m, before = kt.Model("chain of many joints"), None
    for k, joint in enumerate([kt.Revolute(axis="x"), *JOINTS]):
        body = m.body(f"b{k}", kt.box(1.0 + 0.3 * k, (0.5, 0.2, 0.1)))
        m.joint(
            f"j{k}",
            joint,
            m.ground.at(0, 0, 0) if before is None else before.at(0.3, 0.1, 0.2),
            body.at(-0.2, 0, 0.1),
        )
        before = body
    m.constraint("rod", kt.Distance(), before.at(0.1, 0.2, 0.3), m.ground.at(1.0, 2.0, 3.0))
    m.constraint("gear", kt.Coupling("j0.angle", "j1.angle", ratio=2.0, offset=0.0))
    m.constraint("motor", kt.Driver("j3.angle", 0.2))
    return m


def ring(n: int) -> kt.Model:
    """A regular polygon of hinged rods that hangs from one corner."""
    m, radius = kt.Model("ring"), 0.15 / np.sin(np.pi / n)
    corner = [
        radius * np.array([np.sin(2 * np.pi * i / n), 0.0, np.cos(2 * np.pi * i / n) - 1.0])
        for i in range(n + 1)
    ]
    rods = [
        m.body(
            f"r{i}",
            kt.rod(0.3, 0.3, along=tuple((b - a) / 0.3), axial=1e-3),
            position=tuple((a + b) / 2),
        )
        for i, (a, b) in enumerate(zip(corner, corner[1:]))
    ]
    m.joint("pin", kt.Revolute(), m.ground, rods[0], at=tuple(corner[0]), axis="y")
    for i in range(n):
        m.joint(
            f"j{i}", kt.Revolute(), rods[i], rods[(i + 1) % n], at=tuple(corner[i + 1]), axis="y"
        )
    return m


def ladder(n: int) -> kt.Model:
    """Two rails of n links that hang from the ground, with rungs between them."""
    m, rails = kt.Model("ladder"), [None, None]
    for i in range(n):
        for side in (0, 1):
            link = m.body(
                f"rail{side}{i}", kt.box(0.3, (0.1, 0.1, 0.3)), position=(side, 0, -0.3 * i - 0.15)
            )
            m.joint(
                f"hinge{side}{i}",
                kt.Revolute(),
                rails[side] or m.ground,
                link,
                at=(side, 0, -0.3 * i),
                axis="y",
            )
            rails[side] = link
        rung = m.body(f"rung{i}", kt.box(0.2, (1.0, 0.1, 0.1)), position=(0.5, 0, -0.3 * (i + 1)))
        for side in (0, 1):
            m.joint(
                f"pin{side}{i}",
                kt.Revolute(),
                rails[side],
                rung,
                at=(side, 0, -0.3 * (i + 1)),
                axis="y",
            )
    return m


def star(n: int) -> kt.Model:
    """A free body with n two-bar loops on it."""
    m = kt.Model("star")
    base = m.body("base", kt.box(100.0, (n, 1.0, 0.1)))
    m.float(base)
    for i in range(n):
        rods = [
            m.body(f"{name}{i}", kt.rod(0.5, length, along="x"))
            for name, length in (("a", 0.3), ("b", 0.9), ("c", 0.5))
        ]
        m.joint(
            f"A{i}",
            kt.Revolute(axis="y"),
            base.at(i, 0, 0),
            rods[0].end("-"),
            start={"angle": -1.2},
        )
        m.joint(f"B{i}", kt.Revolute(axis="y"), rods[0].end("+"), rods[1].end("-"))
        m.joint(f"C{i}", kt.Revolute(axis="y"), rods[1].end("+"), rods[2].end("+"))
        m.joint(f"D{i}", kt.Revolute(axis="y"), base.at(i + 0.8, 0, 0), rods[2].end("-"))
    return m


@pytest.fixture(params=[0, 1, 3])
def everywhere(request, monkeypatch):
    """Force anchors after `deep` bodies, even if they are slower."""
    monkeypatch.setattr(sparse, "DEPTHS", (request.param,))
    monkeypatch.setattr(sparse, "SMALL", 0)


@pytest.fixture
def placed(everywhere):
    """The chain with anchors at some state: tables and workspace."""
    assembly, method = kt.assemble(chain()), formulation("augmented")
    tables = method.configure(assembly.compiled.tables, {"sparse": True}, assembly.rank)
    assert len(tables.anchor)
    work = workspace(tables, method.storage)
    kinematics(tables, work, assembly.q, assembly.v)
    packed_jacobian(tables, work)
    return tables, work


def test_velocities_and_forces_are_converted_to_the_unknowns_and_back(placed):
    """u = T v and back;  w.(T v) = v.(T^T w);  T^T w(f) = f: exact up to rounding."""
    tables, work = placed
    rng, nv, nu = np.random.default_rng(1), int(tables.settings[0]["nv"]), len(tables.u_dof)
    v, w, f = rng.normal(size=nv), rng.normal(size=nu), rng.normal(size=nv)
    u, back, gathered, forces, again = (
        np.zeros(nu),
        np.zeros(nv),
        np.zeros(nv),
        np.zeros(nu),
        np.zeros(nv),
    )
    tree_to_unknowns(tables, work, v, u)
    unknowns_to_tree(tables, work, u, back)
    add_tree_forces(tables, work, w, gathered)
    forces_on_unknowns(tables, work, f, forces)
    add_tree_forces(tables, work, forces, again)
    np.testing.assert_allclose(back, v, atol=1e-12)
    assert w @ u == pytest.approx(v @ gathered, abs=1e-12 * np.abs(w).sum() * np.abs(u).max())
    np.testing.assert_allclose(again, f, atol=1e-12)


def test_the_joint_rows_of_anchors_vanish_on_motions_of_the_tree(placed):
    """Their rows vanish on u = T v for every v."""
    tables, work = placed
    ng, v = (
        len(tables.row_scale),
        np.random.default_rng(2).normal(size=int(tables.settings[0]["nv"])),
    )
    u = np.zeros(len(tables.u_dof))
    tree_to_unknowns(tables, work, v, u)
    for r in range(ng, len(tables.row_group)):
        first = tables.support_first[tables.row_group[r]]
        row = work.G_packed[tables.g_first[r] : tables.g_first[r + 1]]
        assert abs(row @ u[tables.support[first : first + len(row)]]) <= 1e-12 * np.abs(u).max()


def test_couplings_and_drivers_on_joints_of_anchors_give_the_same_motion(everywhere):
    dense, taken = (
        kt.simulate(chain(), 0.2, sparse=wanted, rtol=1e-9, output_interval=0.1, progress=False)
        for wanted in (False, True)
    )
    for k in range(len(JOINTS) + 1):
        # 100 tolerances
        np.testing.assert_allclose(taken[f"b{k}.position"], dense[f"b{k}.position"], atol=1e-7)


def test_a_loop_closing_row_is_eliminated_after_those_that_connect_its_bodies():
    """Three bodies in a ring on the ground with equal rows: the closing row is the last one."""
    rows = {3: (0, -1), 4: (1, 0), 5: (2, 1)}
    pairs = [(r, b) for r, both in rows.items() for b in both if b >= 0] + [(6, 2)]
    order = least_degree(
        Pattern([6] * 3 + [5] * 4, [BODY] * 3 + [ROW] * 4, pairs, [3, 6]),
        ties=Ties(rows, {6: (2, -1)}),
    ).order
    assert order[-1] == 6 and len(order) == 7


@pytest.mark.parametrize("machine, n", [(ring, 150), (ladder, 40), (star, 40)])
def test_factors_of_long_models_grow_linearly_with_their_length(machine, n):
    """A model of twice the length has twice the entries; full factors would have four times."""
    short, long = (build(machine(size)).tables for size in (n, 2 * n))
    assert 0 < len(long.row) <= 2.2 * len(short.row)
    assert len(long.run_at) <= 2.2 * len(short.run_at)


def test_a_long_ring_moves_equally_in_relative_and_cartesian_coordinates():
    model = ring(150)
    relative, cartesian = (
        kt.simulate(model, 0.02, coordinates=c, rtol=1e-8, output_interval=0.01, progress=False)
        for c in ("relative", "cartesian")
    )
    assert relative.constraint_error.max() < 1e-10
    for k in range(0, 150, 30):
        # 10 tolerances
        np.testing.assert_allclose(
            relative[f"r{k}.position"], cartesian[f"r{k}.position"], atol=1e-7
        )
