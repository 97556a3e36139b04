"""Short events that the model knows of are not stepped over, however quiet the machine was before."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt

PUSH = kt.Table((0.0, 5.0, 5.01, 5.02, 10.0), (0.0, 0.0, 100.0, 0.0, 0.0), smooth=False)  # 1 N s
ADAPTIVE = ("adams", "dopri5", "bdf", "switching")


def puck() -> kt.Model:
    m = kt.Model("puck", gravity=(0, 0, 0))
    body = m.body("puck", kt.mass(2.0, (1, 1, 1)))
    m.joint("slide", kt.Translational(axis="x"), m.ground, body)
    return m


def pushed_by(kind: str) -> kt.Model:
    m = puck()
    body = m.bodies["puck"]
    if kind == "point force":
        m.force("push", kt.PointForce((PUSH, 0.0, 0.0)), body)
    elif kind == "actuator":
        m.force("push", kt.TorsionSpring("slide.displacement", torque=PUSH))
    elif kind == "user force":
        m.force("push", kt.UserForce(_push, breakpoints=[5.0, 5.02]), body)
    elif kind == "controller":
        m.controller(
            "box",
            kt.Controller(
                _command, inputs=("slide.displacement",), outputs=("push",), breakpoints=(5.0, 5.02)
            ),
        )
        m.force("push", kt.PointForce(("box.push", 0.0, 0.0)), body)
    elif kind == "function":
        push = kt.Function(lambda t: 50.0 if 5.0 < t <= 5.02 else 0.0, breakpoints=[5.0, 5.02])
        m.force("push", kt.PointForce((push, 0.0, 0.0)), body)
    return m


def _push(t, a, b, parameters, force, torque):
    force[0] = 50.0 if 5.0 < t <= 5.02 else 0.0


def _command(t, u, x, parameters, xdot, out):
    out[0] = 50.0 if 5.0 < t <= 5.02 else 0.0


@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize(
    "kind", ["point force", "actuator", "user force", "controller", "function"]
)
def test_a_push_of_a_hundredth_second_in_ten_is_felt(kind, integrator):
    sol = kt.simulate(pushed_by(kind), 10.0, integrator=integrator, rtol=1e-6, output_interval=2.5)
    assert_allclose(
        sol["slide.displacement.rate"][-1], 0.5, rtol=1e-4
    )  # 1 N s on 2 kg; rtol 1e-6, atol likewise


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_times_may_be_declared_with_the_run(integrator):
    m = puck()
    m.force("push", kt.UserForce(_push), m.bodies["puck"])
    sol = kt.simulate(m, 10.0, integrator=integrator, rtol=1e-6, breakpoints=[5.0, 5.02])
    assert_allclose(sol["slide.displacement.rate"][-1], 0.5, rtol=1e-5)


def test_a_valve_that_opens_for_a_moment_is_seen():
    def machine():
        m = puck()
        spool = kt.Function(lambda t: 1.0 if 5.0 < t <= 5.01 else 0.0, breakpoints=[5.0, 5.01])
        m.force(
            "jack",
            kt.HydraulicCylinder(
                bore=0.05,
                rod=0.02,
                stroke=1.0,
                extension=0.5,
                dead_volume=1e-4,
                supply=1e7,
                valve=kt.Valve(spool=spool, area=1e-6),
            ),
            m.ground.at(-2, 0, 0),
            m.bodies["puck"],
        )
        return m

    quiet, fine = (
        kt.simulate(machine(), 6.0, integrator="bdf", output_interval=1.0, **more)[
            "slide.displacement"
        ]
        for more in ({"rtol": 1e-8}, {"rtol": 1e-9, "max_step": 1e-3})
    )
    assert fine[-1] > 1e-4
    assert_allclose(
        quiet[-1], fine[-1], rtol=1e-3
    )  # rtol 1e-8 of the machine's size, 2 m, against 3e-4 m


def test_breakpoints_must_be_increasing_numbers():
    for bad in ([2.0, 1.0], ["a"], [float("nan")], 3.0):
        with pytest.raises(kt.ModelError, match="breakpoints"):
            kt.Function(np.sin, breakpoints=bad)
        with pytest.raises(kt.ModelError, match="breakpoints"):
            kt.UserForce(_push, breakpoints=bad)
