"""Rigid bodies in space: the symbolic equations agree with the numeric engine."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.prepare import prepare
from kinetree.engine.equations.interface import evaluate_equations as equations
from kinetree.symbolic.printing import python
from kinetree.symbolic.sampled import pattern, velocity_terms

JOINTS = (
    kt.Revolute,
    kt.Translational,
    kt.Cylindrical,
    kt.Universal,
    kt.Spherical,
    kt.Planar,
    kt.Free,
    kt.Fixed,
    kt.PointOnLine,
    kt.PointOnPlane,
    lambda **given: kt.Screw(pitch=0.3, **given),
)


def chain(seed: int) -> kt.Model:
    """Three bodies, branching or not, on joints of any kind with random axes, points, masses and
    inertias.
    """
    rng = np.random.default_rng(seed)
    m = kt.Model(f"chain {seed}", gravity=tuple(rng.normal(size=3) * 9.81))
    held = [m.ground]
    for k in range(3):
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        R *= np.sign(np.linalg.det(R))
        moments = rng.uniform(0.2, 0.3, 3)
        body = m.body(
            f"body {k}",
            kt.mass(rng.uniform(0.5, 2.0), R @ np.diag(moments) @ R.T, rng.normal(size=3) * 0.3),
        )
        kind = JOINTS[(seed + 4 * k) % len(JOINTS)]
        bare = kind in (kt.Universal, kt.Spherical, kt.Planar, kt.Free, kt.Fixed)
        axis = {} if bare else {"axis": tuple(rng.normal(size=3))}
        on = held[-1] if seed % 3 else held[int(rng.integers(len(held)))]
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        m.joint(
            f"joint {k}",
            kind(**axis),
            on.at(*rng.normal(size=3), rotation=turn),
            body.at(*rng.normal(size=3)),
        )
        held.append(body)
    return m


def at_random(model: kt.Model, seed: int):
    """A compiled model and a state of it, with unit quaternions."""
    from kinetree.engine.dynamics.kinematics import shift_coordinates

    found, rng = prepare(model), np.random.default_rng(seed)
    q = found.q.copy()
    shift_coordinates(found.compiled.tables, q, rng.normal(size=len(found.v)))
    return found.compiled, q, rng.normal(size=len(found.v))


@pytest.mark.parametrize("seed", range(30))
def test_thirty_chains_in_space_have_the_accelerations_of_the_engine(seed):
    model = chain(seed)
    compiled, q, v = at_random(model, seed)
    work = compiled.workspace()
    equations(compiled.tables, work, 0.0, q, v, np.zeros(0))
    derived, scope, n = kt.derive(model), {}, len(v)
    exec("from math import cos, sin\n" + python(derived.function), scope)  # text generated here
    M, f = np.zeros((n, n)), np.zeros(n)
    scope["motion"](np.array(derived.spatial.parameters), q, v, M, f)
    np.testing.assert_allclose(M, work.M, rtol=0, atol=1e-11 * np.abs(work.M).max())
    vdot = np.linalg.solve(work.M, work.f)
    np.testing.assert_allclose(np.linalg.solve(M, f), vdot, rtol=0, atol=1e-10 * np.abs(vdot).max())


def test_a_model_runs_on_its_symbolic_equations():
    """With its loop and a spring, which the numeric engine evaluates."""
    from kinetree.models.four_bar import four_bar

    model = four_bar()
    model.force("spring", kt.TorsionSpring("A.angle", 3.0, 0.2))
    runs = [
        kt.simulate(twin, 0.3, rtol=1e-10, formulation="augmented")
        for twin in (model, kt.derive(model).model)
    ]
    np.testing.assert_allclose(runs[0].y, runs[1].y, rtol=0, atol=1e-8)
    assert runs[1].energy.imbalance < 1e-8


def test_the_report_counts_and_shows_the_pattern():
    derived = kt.derive(chain(1))
    text = str(derived)
    assert (
        f"{derived.spatial.nv} degrees of freedom of 3 rigid bodies" in text
        and "statements" in text
    )
    assert derived.latex().count("{") == derived.latex().count("}")


@pytest.mark.parametrize("seed", range(0, 30, 5))
def test_velocity_terms_of_chains_are_those_of_the_engine(seed):
    """sum C_jk(i) v_j v_k = -f of the engine without gravity; C_jk(i) = C_kj(i)."""
    model = chain(seed)
    model.gravity = np.zeros(3)
    compiled, q, v = at_random(model, seed)
    work = compiled.workspace()
    equations(compiled.tables, work, 0.0, q, v, np.zeros(0))
    C = velocity_terms(compiled, q)
    np.testing.assert_allclose(
        np.einsum("ijk,j,k->i", C, v, v), -work.f, rtol=0, atol=1e-10 * np.abs(work.f).max()
    )
    np.testing.assert_array_equal(C, C.transpose(0, 2, 1))


def robot(ball: bool) -> kt.Model:
    """A rotating pillar, an arm on a hinge or a ball joint, and a slide along it."""
    m = kt.Model("robot")
    pillar = m.body("pillar", kt.cylinder(9.0, 0.1, 0.5))
    arm = m.body("arm", kt.rod(5.0, 1.0, along="x", axial=0.01))
    slide = m.body("slide", kt.box(2.0, (0.1, 0.2, 0.3)))
    m.joint("A", kt.Revolute(axis="z"), m.ground, pillar)
    m.joint(
        "B", kt.Spherical() if ball else kt.Revolute(axis="y"), pillar.at(0, 0, 0.3), arm.end("-")
    )
    m.joint("C", kt.Translational(axis="x"), arm.at(0, 0.15, 0.2), slide)
    return m


@pytest.mark.parametrize("ball", [False, True])
def test_expanded_equations_agree_with_the_engine(ball):
    """M, C_jk(i) and, if velocities are rates, C_jk(i) + C_ji(k) = dM_ik/dq_j as polynomials."""
    model = robot(ball)
    compiled, q, _ = at_random(model, 4)
    work = compiled.workspace()
    equations(compiled.tables, work, 0.0, q, np.zeros(compiled.size["nv"]), np.zeros(0))
    derived = kt.derive(model)
    e = derived.structure.equations
    values = {**derived.spatial.tape.numbers}
    for name in e.tape.of:
        letters, digits = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
        if letters in ("cos", "sin", "q"):
            values[name] = {"cos": np.cos, "sin": np.sin, "q": float}[letters](q[int(digits) - 1])
        elif letters in ("qw", "qx", "qy", "qz"):
            values[name] = q[int(digits) - 1 + "wxyz".index(letters[1])]

    def number(p) -> float:
        return float(p.as_expr().subs(values))

    n = range(len(e.q))
    C = velocity_terms(compiled, q)
    np.testing.assert_allclose(
        [[number(e.relative_M[i][j]) for j in n] for i in n], work.M, atol=1e-12
    )
    np.testing.assert_allclose(
        [[[number(e.relative_C[i][j][k]) for k in n] for j in n] for i in n], C, atol=1e-12
    )
    if not ball:
        M, C = e.relative_M, e.relative_C
        assert all(C[i][j][k] + C[k][j][i] == e.diff(M[i][k], j) for i in n for j in n for k in n)
        assert pattern(compiled).sum() == sum(bool(C[i][j][k]) for i in n for j in n for k in n)


def test_the_report_lists_the_velocity_terms():
    text = str(kt.derive(robot(False)))
    assert (
        "Velocity terms" in text
        and "(35) C_jk(i) = -C_ji(k) fails" in text
        and "It does not depend on q1." in text
    )
    assert "cos(q2)" in text and "m3" in text
    assert "those of ball joints are not" in str(kt.derive(robot(True)))
    assert "by numbers at random positions" in str(kt.derive(chain(16)))
