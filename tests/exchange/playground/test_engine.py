"""The engine of a page in node: its start and its motion are those of `simulate`."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.bicycle import bicycle
from kinetree.models.excavator import excavator
from kinetree.models.quarter_car import quarter_car
from kinetree.models.slider_crank import slider_crank

from .machines import NODE, four_bar, in_node, machine

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


def compared(make, sliders, values, tmp_path, until=1.0, **options):
    """States of the page and of `simulate` at the end of a run with these values of the sliders."""
    made = machine(make, sliders, **options)
    found = in_node(
        made,
        tmp_path,
        f"const status = engine.reset({list(values.values())});\n"
        f"const failed = engine.advance({until});\n"
        "done([status, failed, [...engine.y.subarray(0, data.numbers.n)]]);",
    )
    assert found[:2] == [0, 0]
    end = kt.simulate(made.sliders.plain(**values), until, progress=False, **options)
    return np.array(found[2]), np.concatenate([end.q[-1], end.v[-1], end.x[-1]])


def test_a_loop_with_moved_sliders_moves_as_simulate_does(tmp_path):
    sliders = {"crank": (0.3, 0.6), "mass": (0.1, 2.0), "stiffness": (0.0, 20.0)}
    values = {"crank": 0.41, "mass": 1.3, "stiffness": 7.5}
    own, expected = compared(four_bar, sliders, values, tmp_path, rtol=1e-12)
    # both runs have errors of some thousand steps of 1e-12
    np.testing.assert_allclose(own, expected, atol=1e-9)


def test_start_values_are_held_while_loops_close(tmp_path):
    """The loop of a slider-crank is closed with a given crank angle and speed."""
    sliders = {"crankshaft.angle": (0.0, 1.5), "crankshaft.angle.rate": (0.0, 20.0)}
    values = {"crankshaft.angle": 0.7, "crankshaft.angle.rate": 12.0}
    own, expected = compared(slider_crank, sliders, values, tmp_path, until=0.3, rtol=1e-12)
    np.testing.assert_allclose(own, expected, atol=1e-9)


def test_breaks_of_time_functions_and_implicit_steps_are_followed(tmp_path):
    own, expected = compared(quarter_car, {}, {}, tmp_path, rtol=1e-11, integrator="switching")
    # the error of BDF at this tolerance, a hundred times its local one
    np.testing.assert_allclose(own, expected, atol=1e-8)


def test_a_value_without_a_start_keeps_the_last_one(tmp_path):
    """A crank of 4 m cannot close the loop: the page reports it and goes on."""
    made = machine(four_bar, {"crank": (0.3, 4.0, 0.5)})
    status, values, failed = in_node(
        made,
        tmp_path,
        "const status = engine.reset([4.0]); done([status, engine.values, engine.advance(0.1)]);",
    )
    assert str(status) in made.starter.data["reasons"]
    assert values == [0.5]
    assert failed == 0


def test_a_slider_that_is_moved_during_a_run_keeps_the_loops_closed(tmp_path):
    made = machine(four_bar, {"crank": (0.3, 0.6)}, rtol=1e-8)
    names, (a, b) = list(made.compiled.bodies), _ends()
    status, gap = in_node(
        made,
        tmp_path,
        f"""
        engine.advance(0.5);
        const status = engine.apply([0.42]);
        engine.advance(0.6);
        engine.observe();
        const p = engine.floats("record.position"), R = engine.floats("record.rotation");
        const end = (body, half) => [0, 1, 2].map(k => p[3 * body + k] + R[9 * body + 3 * k] * half);
        const a = end({names.index("coupler")}, {a}), b = end({names.index("rocker")}, {b});
        done([status, Math.hypot(...a.map((x, k) => x - b[k]))]);
        """,
    )
    assert status == 0
    assert gap < 1e-9


def _ends() -> tuple[float, float]:
    """Distances of the ends "+" of coupler and rocker from the origins of these bodies."""
    m = four_bar()
    return tuple(float(m.bodies[name].properties.ends["+"][0]) for name in ("coupler", "rocker"))


def test_a_page_of_the_excavator_computes_hydraulics(tmp_path):
    own, expected = compared(excavator, {}, {}, tmp_path, until=0.5, rtol=1e-8)
    # ten times the tolerance, of pressures of 1e7 Pa relative to their scale
    np.testing.assert_allclose(own, expected, rtol=1e-6, atol=1e-6)


def test_the_pointer_pulls_a_body_to_its_place(tmp_path):
    """A heavily damped pendulum follows a stiff spring: its tip is below the pointer."""

    def hanging():
        m = kt.Model("hanging", gravity=(0, 0, 0))
        rod = m.body("rod", kt.rod(mass=1.0, length=1.0, along="x"))
        m.joint("hinge", kt.Revolute(axis="y"), m.ground, rod.end("-"))
        return m

    tip = list(map(float, hanging().bodies["rod"].properties.ends["+"]))
    found = in_node(
        machine(hanging, {}),
        tmp_path,
        f"""
        engine.reset([]);
        engine.pull(1, {tip}, [0, 0, -2], 100, 30);
        const failed = engine.advance(6);
        done([failed, engine.y[0]]);
        """,
    )
    assert found[0] == 0
    assert abs(abs(found[1]) - np.pi / 2) < 1e-6  # the rod points at the pointer, straight down


def test_numbers_that_are_no_polynomials_of_a_slider_are_series(tmp_path):
    """A ramp with a slope angle: its normal has the sine and the cosine of the slider."""

    def ramp(slope=0.3):
        m = kt.Model("ramp", gravity=(0, 0, -9.81))
        block = m.body("block", kt.box(mass=1.0, sides=(0.2, 0.1, 0.1)))
        along = (float(np.cos(slope)), 0.0, -float(np.sin(slope)))
        m.joint("slide", kt.Translational(axis=along), m.ground, block)
        return m

    values = {"slope": 0.8}
    own, expected = compared(ramp, {"slope": (0.1, 1.2)}, values, tmp_path, rtol=1e-10)
    np.testing.assert_allclose(own, expected, atol=1e-10)
    assert abs(own[1] - 9.81 * np.sin(0.8)) < 1e-9  # uniform acceleration


def pushed():
    m = kt.Model("cart", gravity=(0, 0, 0))
    cart = m.body("cart", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    m.joint("rail", kt.Translational(axis="x"), m.ground, cart)
    m.force("motor", kt.PointForce((kt.Input("push", start=2.0, unit="N"), 0.0, 0.0)), cart)
    return m


def test_inputs_are_sliders_and_act_from_the_present_time_on(tmp_path):
    """1 s with 2 N and 1 s with -4 N on 2 kg: x = 1/2 + 1 - 1, v = 1 - 2."""
    found = in_node(
        machine(pushed, {"push": (-10.0, 10.0)}, rtol=1e-10),
        tmp_path,
        "engine.advance(1); const status = engine.apply([-4]); engine.advance(2);"
        "done([status, ...engine.y.subarray(0, 2)]);",
    )
    np.testing.assert_allclose(found, [0, 0.5, -1.0], atol=1e-9)


def test_functions_of_the_user_run_in_the_page(tmp_path):
    def swing():
        m = kt.Model("swing", gravity=(0, 0, -9.81))
        rod = m.body("rod", kt.rod(mass=1.0, length=1.0, along="x"))
        m.joint("hinge", kt.Revolute(axis="y"), m.ground, rod.end("-"))
        stiff = 3.0
        m.force("law", kt.TorsionSpring("hinge.angle", law=lambda t, x, v: -stiff * x**3 - 0.1 * v))
        return m

    own, expected = compared(swing, {}, {}, tmp_path, rtol=1e-10)
    np.testing.assert_allclose(own, expected, atol=1e-9)


def test_wheels_and_given_velocities_of_bodies_start_as_in_simulate(tmp_path):
    own, expected = compared(bicycle, {}, {}, tmp_path, rtol=1e-10)
    np.testing.assert_allclose(own, expected, atol=1e-8)  # 100 times the tolerance
