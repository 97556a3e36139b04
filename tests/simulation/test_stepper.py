"""Models that are advanced step by step: the same motion as in one run with the same inputs."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.four_bar import four_bar


def cart(push=None) -> kt.Model:
    m = kt.Model("cart-pole")
    body = m.body("cart", kt.box(mass=1.0, sides=(0.2, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, body)
    pole = m.body("pole", kt.rod(mass=0.1, length=1.0, along="z"))
    m.joint("pin", kt.Revolute("y"), body, pole.end("-"), start={"angle": 0.05})
    push = kt.Input("push", start=0.0, unit="N") if push is None else push
    m.force("motor", kt.TorsionSpring("rail.displacement", torque=push))
    return m


COORDINATES = ("rail.displacement", "pin.angle")
PUSHES = (2.0, -3.0, 0.5, 1.0)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_held_inputs_give_the_motion_of_one_run_with_the_same_steps(coordinates):
    def held(t):  # the value of each tenth of a second
        return PUSHES[min(int(t / 0.1 + 1e-9), 3)]

    steps = [0.1, 0.2, 0.3]
    whole = cart(kt.Function(held, breakpoints=steps))
    sol = kt.simulate(whole, 0.4, rtol=1e-9, coordinates=coordinates)
    stepper = kt.Stepper(cart(), COORDINATES, rtol=1e-9, coordinates=coordinates)
    for push in PUSHES:
        found = stepper.step(0.1, push=push)
    expected = [sol[name][-1] for name in COORDINATES]
    np.testing.assert_allclose(found, expected, atol=1e-8)  # ten times the tolerance per step
    assert stepper.t == pytest.approx(0.4)
    assert abs(expected[0]) > 1e-3


def test_a_ramp_is_exact_within_a_step():
    sol = kt.simulate(cart(kt.Ramp(3.0, start=1.0)), 0.5, rtol=1e-10)
    stepper = kt.Stepper(cart(), COORDINATES, rtol=1e-10)
    stepper.ramp(push=(1.0, 3.0))
    np.testing.assert_allclose(stepper.step(0.5), [sol[n][-1] for n in COORDINATES], atol=1e-9)


def test_every_channel_can_be_an_output():
    names = ("pole.position.x", "pin.angle.acceleration", "motor.force", "energy.kinetic")
    stepper = kt.Stepper(cart(), names, rtol=1e-9)
    found = stepper.step(0.3, push=2.0)
    sol = kt.simulate(cart(kt.Constant(2.0)), 0.3, rtol=1e-9)
    np.testing.assert_allclose(found, [sol[name][-1] for name in names], atol=1e-7)
    np.testing.assert_allclose(stepper["pole.position"], sol["pole.position"][-1], atol=1e-7)


def test_loops_stay_closed():
    stepper = kt.Stepper(four_bar(), ("A.angle",), rtol=1e-8)
    for _ in range(10):
        stepper.step(0.02)
    sol = kt.simulate(four_bar(), 0.2, rtol=1e-8)
    assert stepper["A.angle"] == pytest.approx(sol["A.angle"][-1], abs=1e-6)
    assert abs(stepper["constraint.position"]) < 1e-12


def test_resetting_repeats_the_motion_to_the_last_bit():
    stepper = kt.Stepper(cart(), COORDINATES)
    first = [stepper.step(0.01, push=p).copy() for p in PUSHES]
    start = stepper.reset()
    np.testing.assert_array_equal(start, [0.0, 0.05])
    assert stepper.inputs["push"] == 0.0
    again = [stepper.step(0.01, {"push": p}) for p in PUSHES]
    np.testing.assert_array_equal(first, again)


def test_states_are_kept_and_continued():
    stepper = kt.Stepper(cart(), COORDINATES)
    stepper.step(0.1, push=1.0)
    state = stepper.state
    expected = stepper.step(0.1, push=2.0)
    stepper.reset(state)
    assert stepper.t == pytest.approx(0.1)
    np.testing.assert_array_equal(stepper.step(0.1, push=2.0), expected)
    stepper.reset({"pin.angle": 0.3, "rail.rate": 1.0}, t0=5.0)
    assert (stepper.t, stepper["pin.angle"], stepper["rail.displacement.rate"]) == (5.0, 0.3, 1.0)


def test_two_steppers_of_a_model_and_its_runs_do_not_share_inputs():
    m = cart()
    a, b = kt.Stepper(m, COORDINATES), kt.Stepper(m, COORDINATES)
    a.step(0.1, push=5.0)
    b.step(0.1)
    assert a.outputs()[0] > 0.02
    assert b.outputs()[0] == pytest.approx(kt.simulate(m, 0.1)["rail.displacement"][-1], abs=1e-9)


def test_models_with_python_functions_and_contacts_are_stepped_too():
    m = kt.Model("ball")
    ball = m.body("ball", kt.sphere(mass=1.0, radius=0.1))
    m.joint("guide", kt.Translational("z"), m.ground, ball, start={"displacement": 0.5},
            limits={"displacement": (0.0, None)})  # fmt: skip
    m.force("lift", kt.TorsionSpring("guide.displacement", torque=kt.Input("lift")))
    stepper = kt.Stepper(m, ("guide.displacement",))
    stepper.step(0.2)
    for _ in range(4):
        stepper.step(0.1)
    assert stepper.outputs()[0] == pytest.approx(0.0, abs=1e-9)  # it rests on the stop
    assert stepper.step(0.1, lift=20.0)[0] == pytest.approx(0.5 * (20.0 - 9.81) * 0.01, rel=1e-6)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda s: s.step(0.1, pusch=1.0), "pusch"),
        (lambda s: s.step(0.1, push="a"), "input 'push'"),
        (lambda s: s.step(0.0), "dt"),
        (lambda s: s.reset({"pin.angel": 0.0}), "angel"),
        (lambda s: s.inputs["pull"], "pull"),
    ],
)
def test_wrong_arguments_are_refused_in_words(act, message):
    with pytest.raises(kt.KinetreeError, match=message):
        act(kt.Stepper(cart(), COORDINATES))


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        (("pin.angel",), "pin.angel"),
        (("pole.position",), "is a vector; take a component: pole.position.x"),
        (("step.size",), "does not follow from the state"),
        ("pin.angle", "outputs"),
    ],
)
def test_wrong_outputs_are_refused_in_words(outputs, message):
    with pytest.raises(kt.KinetreeError, match=message):
        kt.Stepper(cart(), outputs)
