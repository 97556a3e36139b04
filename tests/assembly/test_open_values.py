"""Unresolved lengths and offsets: measured once at the start, and the same in every analysis."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.build import build
from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations.catalogue import FORMULATIONS
from support.linkages import four_bar

both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
GRAVITY = 9.81


def rod_pendulum(**rod) -> kt.Model:
    """A mass that slides in the plane y = 0, held by a massless rod of 2 m: w = sqrt(g / l) =
    2.2147 1/s.
    """
    m = kt.Model("rod pendulum")
    bob = m.body("bob", kt.sphere(1.0, 1e-3), position=(0, 0, -2.0))
    m.joint("plane", kt.Planar(), m.ground, bob, at=(0, 0, -2.0), axis="y")
    m.constraint("rod", kt.Distance(**rod), m.ground, bob)
    return m


def open_machine(cylinder: bool = True) -> kt.Model:
    """One unresolved value of each kind: a rod, a gear, a spring and a cylinder, on three pendulums
    started off center.
    """
    m = kt.Model("open")
    bodies = [m.body(f"b{k}", kt.rod(1.0 + k, 0.8, along="x")) for k in range(3)]
    for k, b in enumerate(bodies):
        m.joint(
            f"J{k}",
            kt.Revolute(axis="y"),
            m.ground.at(0, 0.2 * k, 0),
            b.end("-"),
            start={"angle": 0.2 + 0.1 * k},
        )
    m.constraint("rod", kt.Distance(), bodies[0].end("+"), bodies[1].end("+"))
    m.constraint("gear", kt.Coupling("J2.angle", "J1.angle", ratio=0.5))
    m.force(
        "spring",
        kt.SpringDamper(stiffness=200.0, damping=1.0),
        m.ground.at(0.3, 0, 1.0),
        bodies[0].end("+"),
    )
    if not cylinder:
        return m
    m.force(
        "cylinder",
        kt.HydraulicCylinder(0.05, 0.03, 1.0, 1e-3, supply=1e7, extension=0.5, pressure=(1e6, 1e6)),
        m.ground.at(0.2, 0.4, 1.5),
        bodies[2].end("+"),
    )
    return m


@both
def test_a_spring_between_points_that_coincide_has_no_free_length(coordinates):
    """m z'' = -m g - k z from rest at the support: z = -(m g / k) (1 - cos w t)."""
    m = kt.Model("bob")
    bob = m.body("bob", kt.sphere(2.0, 0.1))
    m.joint("slide", kt.Translational(axis="z"), m.ground, bob)
    m.force("spring", kt.SpringDamper(stiffness=50.0), m.ground, bob)
    sol = kt.simulate(m, 1.0, coordinates=coordinates, rtol=1e-10, progress=False)
    exact = -(2.0 * GRAVITY / 50.0) * (1.0 - np.cos(5.0 * sol.t))
    np.testing.assert_allclose(sol["bob.position.z"], exact, atol=1e-8)
    assert sol["spring.force"][0] == 0.0


def test_a_rod_between_points_that_coincide_is_refused_by_name():
    m = kt.Model("no rod")
    bob = m.body("bob", kt.sphere(1.0, 0.1))
    m.float(bob)
    m.constraint("rod", kt.Distance(), m.ground, bob)
    with pytest.raises(kt.AssemblyError, match=r"'rod': its markers coincide.*Give its length"):
        kt.simulate(m, 0.1, progress=False)


@pytest.mark.parametrize(
    "place", [{"closed_length": 0.0}, {"extension": 0.0}], ids=["closed_length", "extension"]
)
def test_a_cylinder_between_points_that_coincide_is_refused_by_name(place):
    m = kt.Model("no cylinder")
    bob = m.body("bob", kt.sphere(1.0, 0.1))
    m.joint("slide", kt.Translational(axis="z"), m.ground, bob)
    m.force("lift", kt.HydraulicCylinder(0.05, 0.03, 1.0, 1e-3, supply=1e7, **place), m.ground, bob)
    with pytest.raises(kt.AssemblyError, match="'lift': its markers coincide"):
        kt.simulate(m, 0.1, progress=False)


def test_a_prescribed_length_does_not_depend_on_where_the_points_were_drawn():
    """Drawn at a single point, the mass is moved to the length that the winch prescribes."""
    m = kt.Model("winch")
    bob = m.body("bob", kt.sphere(1.0, 0.5))
    m.joint("plane", kt.Planar(axis="y"), m.ground, bob)
    m.constraint("rope", kt.Distance(kt.Ramp(0.5, start=1.5)), m.ground, bob)
    start = kt.assemble(m)
    assert np.hypot(start.coordinates["plane.x"], start.coordinates["plane.y"]) == pytest.approx(
        1.5, abs=1e-9
    )
    assert start.compiled.initial_values == pytest.approx({"rope.scale": 1.5})


@both
@pytest.mark.parametrize("inputs", [(), ("plane.x",)], ids=["no input", "an input"])
def test_a_rod_without_a_given_length_keeps_its_length_in_linear_equations(coordinates, inputs):
    found = kt.linearize(rod_pendulum(), inputs=inputs, coordinates=coordinates).eigenvalues
    swing = found[np.argmax(np.abs(found.imag))]
    assert abs(swing.imag) == pytest.approx(np.sqrt(GRAVITY / 2.0), rel=1e-6)


@both
@pytest.mark.parametrize("inputs", ["J0.angle", "J1.angle", "J2.angle", "spring"])
def test_inputs_do_not_change_the_linear_equations(coordinates, inputs):
    model = open_machine()
    plain, driven = (kt.linearize(model, inputs=w, coordinates=coordinates) for w in ((), inputs))
    np.testing.assert_allclose(driven.A, plain.A, rtol=1e-9, atol=1e-9 * np.abs(plain.A).max())


def test_unresolved_values_are_those_of_the_start():
    """sin and cos of 0.2, 0.3, 0.4 rad, on rods of 0.8 m turned down by a positive angle about y."""

    def end(k):
        angle = 0.2 + 0.1 * k
        return np.array([0.8 * np.cos(angle), 0.2 * k, -0.8 * np.sin(angle)])

    found = prepare(open_machine()).compiled.initial_values
    assert found == pytest.approx(
        {
            "rod.length": np.linalg.norm(end(1) - end(0)),
            "gear.offset": 0.4 - 0.5 * 0.3,
            "spring.rest": np.linalg.norm(end(0) - (0.3, 0, 1.0)),
            "cylinder.rest": np.linalg.norm(end(2) - (0.2, 0.4, 1.5)),
        }
    )


def test_every_analysis_uses_the_same_resolved_values():
    model = open_machine()
    found = prepare(model).compiled.initial_values
    eq = kt.equilibrium(model)
    answers = {
        "cartesian": prepare(model, "cartesian"),
        "assemble": kt.assemble(model),
        "simulate": kt.simulate(model, 0.01, integrator="rk4", step=0.005, progress=False).assembly,
        "equilibrium": eq.assembly,
        "inputs": kt.linearize(model, inputs="spring").assembly,
        "modes": kt.linearize(model, state=eq.assembly).assembly,
    }
    assert {
        name: answer.compiled.initial_values for name, answer in answers.items()
    } == dict.fromkeys(answers, found)


def test_targets_and_guesses_do_not_change_the_resolved_values():
    """The values belong to the start of the model, not to the target position."""
    model = open_machine(cylinder=False)  # whose trapped oil has an equilibrium everywhere
    found = prepare(model).compiled.initial_values
    assert kt.assemble(model, targets={"J0.angle": 0.6}).compiled.initial_values == found
    near, far = (
        kt.equilibrium(model, guess={"J0.angle": angle}).coordinates for angle in (0.3, 0.6)
    )
    assert far == pytest.approx(near, abs=1e-7)


def test_an_unresolved_free_length_is_that_of_the_assembled_position():
    """Drawn straight, the four-bar moves to close; its spring is unstressed at the assembled
    position, not as drawn.
    """
    m = four_bar()
    m.force(
        "spring",
        kt.SpringDamper(stiffness=1e3),
        m.ground.at(0, 0, 1.0),
        m.bodies["coupler"].at(0, 0, 0),
    )
    sol = kt.simulate(m, 0.01, integrator="rk4", step=0.005, progress=False)
    assert sol.assembly.moved and sol["spring.force"][0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    "name", ["links", "sensors", "primitives", "forces", "signals", "pool", "row_scale", "settings"]
)
def test_tables_cannot_be_written(name):
    compiled = prepare(open_machine()).compiled
    for tables in (
        compiled.tables,
        FORMULATIONS[0].configure(compiled.tables),
        build(open_machine()).tables,
    ):
        array = getattr(tables, name)
        assert len(array)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[0]


def test_a_lowered_model_with_unresolved_values_has_nan_in_its_tables():
    description = build(open_machine())
    assert {one.name for one in description.unresolved} == {
        "rod.length",
        "gear.offset",
        "spring.rest",
        "cylinder.rest",
    }
    assert np.isnan(description.tables.forces["rest"]).all()
    assert np.isnan(description.tables.primitives["length"][0]) and np.isnan(
        description.tables.primitives["offset"][1]
    )
