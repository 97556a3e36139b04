"""Mass matrix and forces of trees with flexible bodies against sums over all nodes."""

from dataclasses import replace

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.prepare import prepare
from kinetree.description.lowering.modal import modes_joint
from kinetree.engine.dynamics.forward import forward_dynamics
from kinetree.engine.equations.interface import evaluate_equations
from support.flexible_bars import bar
from support.modal_reference import Part, about, equations

GRAVITY = np.array([0.3, -0.2, -9.81])
CLOUD = np.array([[0.1, 0.02, 0.0], [-0.03, 0.1, 0.05], [0.0, -0.06, 0.08], [0.04, 0.0, -0.1]])


def with_third_marker(stiffened=None, seed=2):
    """A bar with a marker that moves in any way with the modes, its axes turned."""
    part, masses = bar(
        length=0.3, width=0.02, height=0.01, E=2e10, bending=3, axial=1, twist=1, damping=0.02,
        stiffened=stiffened,
    )  # fmt: skip
    rng, n, s = np.random.default_rng(seed), part.n, part.stiffened
    E = rng.normal(size=(1, 6, s + 3, s + 3))
    part = replace(
        part,
        markers=(*part.markers, "side"),
        positions=np.vstack([part.positions, [[0.1, 0.05, 0.02]]]),
        rotations=np.concatenate([part.rotations, [about(np.array([0.6, 0, 0.8]), 0.7)]]),
        P=np.concatenate([part.P, rng.normal(size=(1, 3, n))]),
        Theta=np.concatenate([part.Theta, rng.normal(size=(1, 3, n))]),
        E_marker=np.concatenate([part.E_marker, E + E.swapaxes(2, 3)]),
    )
    return part, masses


def cloud_body(model, name):
    """A rigid body of four points, and its points and masses."""
    masses = np.array([0.2, 0.3, 0.1, 0.25])
    com = masses @ CLOUD / masses.sum()
    r = CLOUD - com
    J = np.einsum("n,ni,ni->", masses, r, r) * np.eye(3) - np.einsum("n,ni,nj->ij", masses, r, r)
    return model.body(name, kt.mass(masses.sum(), inertia=J, com=com)), masses


def machine(part, inboard, outboard):
    """Crank on the ground, the part on it, and a hinged body at every further marker."""
    m = kt.Model("machine", gravity=GRAVITY)
    crank, _ = cloud_body(m, "crank")
    m.joint("A", kt.Revolute(axis="y"), m.ground, crank)
    rod = m.flexible("rod", part)
    m.joint("B", kt.Revolute(axis="z"), crank.at(0.15, 0, 0.02), rod.at(inboard))
    for name, axis in outboard:
        block, _ = cloud_body(m, f"block {name}")
        m.joint(f"C{name}", kt.Revolute(axis=axis), rod.at(name), block)
    return m


def reference(part, masses, inboard, outboard):
    """All points of the machine at its coordinates (A, B, modes, hinges), and their masses."""
    cloud, ez, ey = np.array([0.2, 0.3, 0.1, 0.25]), np.array([0.0, 0, 1]), np.array([0.0, 1, 0])
    rod = Part(part, part.nodes, masses)
    axes = {"x": np.array([1.0, 0, 0]), "y": ey, "z": ez}

    def points(q):
        n = part.n
        R = about(ey, q[0])
        found = [CLOUD @ R.T]
        at = R @ np.array([0.15, 0, 0.02])
        R = R @ about(ez, q[1])
        modes = q[2 : 2 + n]
        found.append(at + rod.points(modes) @ R.T)
        for k, (name, axis) in enumerate(outboard):
            turned, place = rod.marker(name, modes)
            R_block = R @ turned @ about(axes[axis], q[2 + n + k])
            found.append(at + R @ place + CLOUD @ R_block.T)
        return np.concatenate(found)

    return points, np.concatenate([cloud, masses, *[cloud] * len(outboard)])


def random_state(n, more, seed=5):
    rng = np.random.default_rng(seed)
    q, v = rng.normal(size=2 + n + more), rng.normal(size=2 + n + more)
    q[2 : 2 + n] *= 4e-3
    v[2 : 2 + n] *= 0.02  # slow enough for the steps of the reference
    return q, v


CASES = {
    "one marker": ("-", (("+", "x"),)),
    "two markers": ("-", (("+", "x"), ("side", "y"))),
    "free end": ("-", ()),
    "other marker inboard": ("side", (("+", "x"), ("-", "y"))),
}


@pytest.mark.parametrize("stiffened", [None, 4, 0])
@pytest.mark.parametrize("case", CASES)
def test_trees_equal_sums_over_nodes(case, stiffened):
    inboard, outboard = CASES[case]
    part, masses = with_third_marker(stiffened)
    points, weights = reference(part.with_frame(inboard), masses, inboard, outboard)
    q, v = random_state(part.n, len(outboard))
    compiled = prepare(machine(part, inboard, outboard)).compiled
    work = compiled.workspace()
    own = [label for _, label in compiled.dof_owner]
    assert own[2 : 2 + part.n] == [f"mode{k + 1}" for k in range(part.n)]
    M, f = equations(points, weights, GRAVITY, q, v)
    modal = slice(2, 2 + part.n)
    f[modal] -= part.mass * (part.K * q[modal] + part.Z * v[modal])
    evaluate_equations(compiled.tables, work, 0.0, q, v, np.zeros(0))
    np.testing.assert_allclose(work.M, M, rtol=0, atol=1e-13 * np.abs(M).max())
    # the second derivative of the reference is exact to 1e-12 of the largest forces but K q
    size = np.abs(f).max() if case == "none" else np.abs(f - _elastic(part, q, v)).max()
    np.testing.assert_allclose(work.f, f, rtol=0, atol=1e-10 * size)
    vdot = np.zeros(len(v))
    forward_dynamics(compiled.tables, work, q, v, _elastic(part, q, v), vdot)
    want = np.linalg.solve(M, f)
    np.testing.assert_allclose(vdot, want, rtol=0, atol=1e-9 * np.abs(want).max())


def _elastic(part, q, v):
    """Forces of stiffness and damping."""
    tau = np.zeros(len(q))
    modal = slice(2, 2 + part.n)
    tau[modal] = -part.mass * (part.K * q[modal] + part.Z * v[modal])
    return tau


def test_shapes_of_unit_mass_span_the_wide_basis():
    part, _ = with_third_marker()
    joint = modes_joint(part)
    assert joint.shapes < len(part.gram)  # the stretch of the bar is an affine shape
    L = joint.numbers[9 : 9 + joint.shapes * part.n].reshape(joint.shapes, part.n)
    np.testing.assert_allclose(L.T @ L, part.mass * part.Mff, atol=1e-10 * part.mass)
