"""Controllers that read time functions: set points, also as inputs of an exported model."""

import math

import numpy as np
import pytest

import kinetree as kt

GAIN, RATE, LEVEL = 40.0, 3.0, 0.2


def pull(t, u, x, parameters, xdot, out):
    out[0] = parameters[0] * (u[1] - u[0])


def servo(set_point, **more):
    """m x'' = k (u(t) - x)  with m = 2 kg."""
    m = kt.Model("servo", gravity=(0, 0, 0))
    cart = m.body("cart", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, cart)
    read = ("rail.displacement", set_point)
    law = kt.Controller(pull, inputs=read, outputs=("force",), parameters=(GAIN,), **more)
    m.controller("p", law)
    m.force("motor", kt.TorsionSpring("rail.displacement", torque="p.force"))
    return m


def test_a_harmonic_set_point_drives_the_oscillator():
    """x = A (sin(w t) - (w/n) sin(n t)) / (1 - (w/n)^2)  with n^2 = k / m."""
    sol = kt.simulate(servo(kt.Sine(LEVEL, RATE / (2.0 * math.pi))), 2.0, rtol=1e-10)
    n = math.sqrt(GAIN / 2.0)
    ratio = RATE / n
    expected = LEVEL * (np.sin(RATE * sol.t) - ratio * np.sin(n * sol.t)) / (1.0 - ratio**2)
    assert np.abs(sol["rail.displacement"] - expected).max() < 1e-8  # tolerance times steps


def test_a_sampled_controller_reads_the_function_at_its_samples():
    """Without feedback the force of a sample is k u(t_k), held: v grows by T k u(t_k) / m."""

    def copied(t, u, x, parameters, following, out):
        out[0] = u[0]

    m = kt.Model("cart", gravity=(0, 0, 0))
    cart = m.body("cart", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, cart)
    ramp = kt.Ramp(slope=8.0)
    m.controller("hold", kt.Controller(copied, inputs=(ramp,), outputs=("u",), period=0.25))
    m.force("motor", kt.TorsionSpring("rail.displacement", torque="hold.u"))
    sol = kt.simulate(m, 1.0, rtol=1e-10)
    assert sol["rail.displacement.rate"][-1] == pytest.approx(
        0.25 * (0.0 + 2.0 + 4.0 + 6.0) / 2.0, rel=1e-9
    )


def test_steps_end_where_the_function_jumps():
    """Without feedback a force F from 0.5 s on gives x(1) = F (1/2)^2 / (2 m), with few steps."""

    def copied(t, u, x, parameters, xdot, out):
        out[0] = u[1]

    late = kt.Function(lambda t: 0.0 if t < 0.5 else 8.0, breakpoints=(0.5,))
    m = servo(late)
    law = kt.Controller(copied, inputs=("rail.displacement", late), outputs=("u",))
    m.controller("copy", law)
    m.force("push", kt.TorsionSpring("rail.displacement", torque="copy.u"))
    del m.forces["motor"]
    assert kt.simulate(m, 1.0)["rail.displacement"][-1] == pytest.approx(0.5, rel=1e-9)


def test_a_set_point_is_an_input_of_a_stepper():
    stepper = kt.Stepper(servo(kt.Input("set point", unit="m")), ("rail.displacement",), rtol=1e-9)
    assert stepper.step(0.5)[0] == 0.0
    assert stepper.step(0.5, **{"set point": LEVEL})[0] == pytest.approx(
        LEVEL * (1.0 - math.cos(math.sqrt(GAIN / 2.0) * 0.5)), rel=1e-7
    )


def test_a_function_is_read_from_a_file_and_saved(tmp_path):
    (tmp_path / "servo_laws.py").write_text(
        "def pull(t, u, x, parameters, xdot, out):\n    out[0] = parameters[0] * (u[1] - u[0])\n"
    )
    (tmp_path / "servo.yaml").write_text(
        "model: servo\ngravity: [0, 0, 0]\n"
        "bodies:\n  cart: {type: box, mass: 2 kg, sides: [0.1, 0.1, 0.1]}\n"
        "joints:\n  rail: {type: Translational, axis: x, parent: ground, child: cart}\n"
        "controllers:\n  p:\n    function: servo_laws:pull\n    inputs:\n"
        "    - rail.displacement\n    - {type: Input, name: set point, start: 0.2, unit: m}\n"
        "    outputs: [force]\n    parameters: [40.0]\n"
        "forces:\n  motor: {type: TorsionSpring, coordinate: rail.displacement, torque: p.force}\n"
    )
    model = kt.load(tmp_path / "servo.yaml", allow_python=True)
    assert model.controllers["p"].spec.inputs[1] == kt.Input("set point", start=0.2, unit="m")
    expected = kt.simulate(servo(kt.Input("set point", start=LEVEL)), 1.0)["rail.displacement"]
    assert np.array_equal(kt.simulate(model, 1.0)["rail.displacement"], expected)
    model.save(tmp_path / "again.yaml")
    again = kt.load(tmp_path / "again.yaml", allow_python=True).controllers["p"].spec.inputs
    assert tuple(again) == tuple(model.controllers["p"].spec.inputs)
