"""Rigid bodies in space: the equations written down are those of the numeric engine."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.prepare import prepare
from kinetree.plants.doors import equations
from kinetree.symbolic.printing import python

JOINTS = (kt.Revolute, kt.Translational, kt.Cylindrical, kt.Universal, kt.Spherical, kt.Planar, kt.Free, kt.Fixed, kt.PointOnLine,
          kt.PointOnPlane, lambda **given: kt.Screw(pitch=0.3, **given))


def chain(seed: int) -> kt.Model:
    """Three bodies, branching or not, on joints of any kind with axes, places, masses and inertias at random."""
    rng = np.random.default_rng(seed)
    m = kt.Model(f"chain {seed}", gravity=tuple(rng.normal(size=3) * 9.81))
    held = [m.ground]
    for k in range(3):
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        R *= np.sign(np.linalg.det(R))
        moments = rng.uniform(0.2, 0.3, 3)
        body = m.body(f"body {k}", kt.mass(rng.uniform(0.5, 2.0), R @ np.diag(moments) @ R.T, rng.normal(size=3) * 0.3))
        kind = JOINTS[(seed + 4 * k) % len(JOINTS)]
        bare = kind in (kt.Universal, kt.Spherical, kt.Planar, kt.Free, kt.Fixed)
        axis = {} if bare else {"axis": tuple(rng.normal(size=3))}
        on = held[-1] if seed % 3 else held[int(rng.integers(len(held)))]
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        m.joint(f"joint {k}", kind(**axis), on.at(*rng.normal(size=3), rotation=turn), body.at(*rng.normal(size=3)))
        held.append(body)
    return m


def at_random(model: kt.Model, seed: int):
    """A compiled model and a state of it, with unit quaternions."""
    from kinetree.dynamics.kinematics import shift_coordinates

    found, rng = prepare(model), np.random.default_rng(seed)
    q = found.q.copy()
    shift_coordinates(found.compiled.tables, q, rng.normal(size=len(found.v)))
    return found.compiled, q, rng.normal(size=len(found.v))


@pytest.mark.parametrize("seed", range(30))
def test_thirty_chains_in_space_accelerate_as_the_engine_says(seed):
    model = chain(seed)
    compiled, q, v = at_random(model, seed)
    work = compiled.workspace()
    equations(compiled.tables, work, 0.0, q, v, np.zeros(0))
    derived, scope, n = kt.derive(model), {}, len(v)
    exec("from math import cos, sin\n" + python(derived.function), scope)  # text made here
    M, f = np.zeros((n, n)), np.zeros(n)
    scope["motion"](np.array(derived.spatial.parameters), q, v, M, f)
    np.testing.assert_allclose(M, work.M, rtol=0, atol=1e-11 * np.abs(work.M).max())
    vdot = np.linalg.solve(work.M, work.f)
    np.testing.assert_allclose(np.linalg.solve(M, f), vdot, rtol=0, atol=1e-10 * np.abs(vdot).max())


def test_a_model_runs_on_the_equations_written_down():
    """With its loop and a spring, which stay with the numeric engine."""
    from kinetree.models.four_bar import four_bar

    model = four_bar()
    model.force("spring", kt.TorsionSpring("A.angle", 3.0, 0.2))
    runs = [kt.simulate(twin, 0.3, rtol=1e-10, formulation="augmented") for twin in (model, kt.derive(model).model)]
    np.testing.assert_allclose(runs[0].y, runs[1].y, rtol=0, atol=1e-8)
    assert runs[1].energy.imbalance < 1e-8


def test_the_report_counts_and_shows_the_pattern():
    derived = kt.derive(chain(1))
    text = str(derived)
    assert f"{derived.spatial.nv} freedoms of 3 rigid bodies" in text and "statements" in text
    assert derived.latex().count("{") == derived.latex().count("}")
