"""Runs of planar mechanisms in Cartesian coordinates: in the plane, with results as in space."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.prepare import prepare
from kinetree.assembly.reduced import reduced
from kinetree.simulation import loop_model

TIGHT = {"coordinates": "cartesian", "rtol": 1e-9, "progress": False}
AXES = {"y": "y", "skew": (0.3, -0.5, 0.8)}


def frame_of(axis):
    """Rotation whose third column is the axis."""
    z = np.array({"y": (0.0, 1.0, 0.0)}.get(axis, AXES.get(axis)), float)
    z /= np.linalg.norm(z)
    x = np.cross(z, (0.2, 0.1, 1.0))
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def four_bar(axis="y", last=None):
    """A four-bar in any plane whose links are offset along its normal, with skew inertias, a spring
    across the plane and gravity with a component along the normal.
    """
    R = frame_of(axis)
    m = kt.Model("four-bar", gravity=(1.0, 2.0, -9.0))
    at = lambda x, y, z: tuple(R @ (x, y, z))  # noqa: E731
    corners = {"A": (0, 0, 0), "B": (0.1, 0.4, 0.1), "C": (1.0, 0.7, -0.1), "D": (0.9, 0, 0.05)}
    inertia = ((0.02, 0.003, -0.002), (0.003, 0.03, 0.004), (-0.002, 0.004, 0.025))
    names = [("crank", "A", "B"), ("coupler", "B", "C"), ("rocker", "C", "D")]
    for k, (name, one, two) in enumerate(names):
        middle = 0.5 * (np.array(corners[one]) + corners[two]) + (0, 0, 0.07 * (k - 1))
        m.body(name, kt.MassProperties(mass=1.0 + k, inertia=inertia), position=at(*middle))
    pairs = zip("ABCD", [m.ground, *m.bodies.values()], [*m.bodies.values(), m.ground])
    for name, one, two in pairs:
        joint = last if name == "D" and last else kt.Revolute()
        axis_of = {} if isinstance(joint, kt.Spherical) else {"axis": tuple(R[:, 2])}
        m.joint(name, joint, one, two, at=at(*corners[name]), **axis_of)
    m.force(
        "spring",
        kt.SpringDamper(stiffness=40.0, damping=0.5, length=0.3),
        m.ground.at(*at(0.2, 0.1, 0.9)),
        m.bodies["coupler"],
    )
    return m


def slider_crank():
    m = kt.Model("slider-crank")
    crank = m.body("crank", kt.rod(1.0, 0.3, along="x"))
    rod = m.body("rod", kt.rod(1.0, 0.8, along="x"))
    slider = m.body("slider", kt.box(2.0, (0.1, 0.1, 0.1)))
    m.joint("A", kt.Revolute(axis="z"), m.ground, crank.end("-"), start={"angle": 0.7})
    m.joint("B", kt.Revolute(axis="z"), crank.end("+"), rod.end("-"))
    m.joint("C", kt.Revolute(axis="z"), rod.end("+"), slider)
    m.joint("D", kt.Translational(axis="x"), m.ground, slider)
    return m


def in_space(monkeypatch):
    monkeypatch.setattr(loop_model, "reduced", lambda assembly: None)


def size(model):
    found = reduced(prepare(model, "cartesian"))
    return None if found is None else found[0].compiled.size


MODELS = {
    "four-bar": lambda: four_bar("y"),
    "skew four-bar": lambda: four_bar("skew"),
    "with a ball joint": lambda: four_bar("skew", kt.Spherical()),
    "with a cylindrical joint": lambda: four_bar("y", kt.Cylindrical()),
    "slider-crank": slider_crank,
}


@pytest.mark.parametrize("name", MODELS)
def test_bodies_have_three_degrees_of_freedom_and_hinges_two_rows(name):
    found = size(MODELS[name]())
    assert found["nv"] == 9
    assert found["ng"] == 8  # a slide holds one displacement and the rotation in the plane


@pytest.mark.parametrize("name", MODELS)
def test_motion_reactions_and_energy_are_those_in_space(name, monkeypatch):
    model = MODELS[name]()
    plane = kt.simulate(model, 0.4, **TIGHT)
    with monkeypatch.context() as patched:
        in_space(patched)
        space = kt.simulate(model, 0.4, **TIGHT)
    assert plane.y.shape == space.y.shape and plane.assembly.redundant == space.assembly.redundant
    np.testing.assert_allclose(plane.y, space.y, atol=1e-6)  # a thousand tolerances of each step
    for joint in model.joints:
        for what in ("force", "torque"):
            one, two = plane[f"{joint}.{what}"], space[f"{joint}.{what}"]
            np.testing.assert_allclose(one, two, atol=1e-4, err_msg=f"{joint}.{what}")
    assert plane.energy.imbalance < 1e-6
    assert plane.constraint_error.max() < 1e-12


@pytest.mark.parametrize(
    "formulation", ["augmented", "projection", "qr", "svd", "partitioning", "overdetermined"]
)
@pytest.mark.parametrize("integrator", ["adams", "bdf", "dop853"])
def test_all_methods_agree_with_relative_coordinates(formulation, integrator):
    options = {"formulation": formulation, "integrator": integrator}
    sol = kt.simulate(four_bar("skew"), 0.2, **TIGHT, **options)
    exact = kt.simulate(four_bar("skew"), 0.2, rtol=1e-11, progress=False)
    np.testing.assert_allclose(sol["coupler.position"], exact["coupler.position"], atol=3e-7)


@pytest.mark.parametrize("integrator", ["bdf-direct", "switching", "rk4"])
def test_other_integrators_agree_with_relative_coordinates(integrator):
    steps = {"step": 5e-4} if integrator == "rk4" else {"rtol": 1e-9}
    options = {"coordinates": "cartesian", "integrator": integrator, "progress": False, **steps}
    sol = kt.simulate(four_bar("skew"), 0.2, **options)
    exact = kt.simulate(four_bar("skew"), 0.2, rtol=1e-11, progress=False)
    np.testing.assert_allclose(sol["coupler.position"], exact["coupler.position"], atol=3e-7)


def test_states_in_planes_and_in_space_correspond():
    rng = np.random.default_rng(1)
    assembly = prepare(four_bar("skew"), "cartesian")
    plane, found = reduced(assembly)
    y = rng.normal(size=(20, len(plane.y)))
    y[:, [2, 5, 8]] = rng.uniform(
        -6.0, 6.0, size=(20, 3)
    )  # less than a turn: 4 pi is one of a quaternion
    np.testing.assert_allclose(found.to_planes(found.to_space(y)), y, atol=1e-13)
    np.testing.assert_allclose(found.to_space(plane.y), assembly.y, atol=1e-13)


def test_rates_in_space_are_derivatives_of_the_states():
    rng = np.random.default_rng(2)
    plane, found = reduced(prepare(four_bar("skew"), "cartesian"))
    nq, nv = found.plane
    y, h = rng.normal(size=len(plane.y)), 1e-6
    rate = np.concatenate([y[nq : nq + nv], rng.normal(size=len(y) - nq)])
    difference = (found.to_space(y + h * rate) - found.to_space(y - h * rate)) / (2.0 * h)
    # second order in h
    np.testing.assert_allclose(found.rates_to_space(y, rate), difference, atol=1e-8)


def test_mechanisms_that_leave_the_plane_are_computed_in_space():
    loose = kt.Model("loose")
    rod = loose.body("rod", kt.rod(1.0, 0.5, along="x"))
    loose.joint("A", kt.Spherical(), loose.ground, rod.end("-"))
    assert size(loose) is None
    free = kt.Model("free")
    free.float(free.body("ball", kt.sphere(1.0, 0.1)))
    assert size(free) is None


def test_a_mechanism_with_one_body_out_of_its_plane_is_computed_in_space():
    m = four_bar("y")
    bob = m.body("bob", kt.sphere(0.5, 0.1), position=(0.5, 0.3, 0.3))
    m.joint("E", kt.Spherical(), m.bodies["coupler"], bob, at=(0.55, 0.0, 0.55))
    assert size(m) is None


def test_two_mechanisms_may_move_in_different_planes():
    m = kt.Model("two pendulums")
    for axis, along in (("y", "x"), ("x", "y")):
        rod = m.body(f"rod {axis}", kt.rod(1.0, 0.5, along=along))
        m.joint(f"hinge {axis}", kt.Revolute(axis=axis), m.ground, rod.end("-"))
    m.force(
        "spring",
        kt.SpringDamper(stiffness=20.0, length=0.1),
        m.bodies["rod y"].end("+"),
        m.bodies["rod x"].end("+"),
    )
    assert size(m) == {"nq": 6, "nv": 6, "nx": 2, "ng": 4}
    sol, exact = (
        kt.simulate(m, 0.5, **{**TIGHT, "coordinates": c}) for c in ("cartesian", "relative")
    )
    np.testing.assert_allclose(sol["rod x.position"], exact["rod x.position"], atol=1e-6)


def test_a_prepared_run_ends_in_the_same_state():
    prepared = kt.prepare(four_bar("skew"), **{k: TIGHT[k] for k in ("coordinates", "rtol")})
    sol = prepared.run(0.2, progress=False)
    np.testing.assert_array_equal(prepared.advance(0.2).q, sol.result.y[: len(prepared.start.q)])
    half = prepared.advance(0.1)
    np.testing.assert_allclose(
        prepared.advance(0.2, start=half).q, prepared.advance(0.2).q, atol=1e-6
    )


def test_a_growing_file_holds_states_in_space(tmp_path):
    sol = kt.simulate(four_bar("skew"), 0.2, out=tmp_path / "run.nc", **TIGHT)
    again = kt.open_solution(tmp_path / "run.nc")
    np.testing.assert_array_equal(again.y, sol.y)


def test_a_failure_names_the_element():
    model = four_bar("y")
    late = kt.PointForce((lambda t: 1.0 if t < 0.1 else float("nan"), 0.0, 0.0))
    model.force("late", late, model.bodies["coupler"])
    with pytest.raises(kt.SimulationError, match="late"):
        kt.simulate(model, 0.4, **TIGHT)
