"""Cables whose length changes in time: a hoist with a time function and with a controller."""

import numpy as np
import pytest

import kinetree as kt

G, M, K = 9.81, 100.0, 1e6


def hoist(length, damping=0.0):
    m = kt.Model("hoist")
    load = m.body("load", kt.sphere(M, 0.2), position=(0, 0, -5.0))
    m.joint("guide", kt.Translational(axis="z"), m.ground, load, start={"displacement": -5.0})
    return m, load, kt.Cable(K, damping, length=length)


def wound(damping=0.0):
    """A load at rest in static equilibrium is lifted by a smooth step of 2 m in 4 s."""
    length = kt.Function(lambda t: 5.0 - M * G / K + smooth(t))
    m, load, cable = hoist(length, damping)
    m.force("cable", cable, m.ground, load)
    return m


def smooth(t):
    s = min(max((t - 1.0) / 4.0, 0.0), 1.0)
    return -2.0 * s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_load_follows_the_winch(coordinates):
    sol = kt.simulate(wound(1e4), 6.0, rtol=1e-8, coordinates=coordinates)
    exact = np.array([-5.0 - smooth(t) for t in sol.t])
    # M a / K: the stretch by the acceleration, and what is left of it after the damping
    np.testing.assert_allclose(sol["guide.displacement"], exact, atol=2.0 * M * 1.0 / K)
    assert sol["cable.tension"][-1] == pytest.approx(M * G, rel=1e-3)


def test_the_winch_puts_the_work_of_lifting_into_the_model():
    sol = kt.simulate(wound(), 6.0, rtol=1e-9)
    lifted = M * G * 2.0
    assert np.abs(sol.energy.imbalance).max() < 1e-5 * lifted
    assert sol.energy.work[-1] == pytest.approx(lifted, rel=1e-3)


def winch(t, u, x, p, xdot, out):
    """A drum that a first-order drive turns towards the speed p[0]."""
    xdot[0] = x[1]
    xdot[1] = (p[0] - x[1]) / p[1]
    out[0] = x[0]


def test_the_output_of_a_controller_is_a_length():
    start = 5.0 - M * G / K
    m, load, cable = hoist("winch.length")
    drum = kt.Controller(winch, (), {"length": start, "speed": 0.0}, ["out"], (-0.5, 0.3))
    m.controller("winch", drum)
    m.force("cable", kt.Cable(K, 2e3, length="winch.out"), m.ground, load)
    sol = kt.simulate(m, 5.0, rtol=1e-8)
    t = sol.t[-1]
    way = -0.5 * (t - 0.3 * (1.0 - np.exp(-t / 0.3)))
    assert sol["winch.length"][-1] == pytest.approx(start + way, abs=1e-6)
    # the output's rate is unknown: the damping acts on the speed of the load
    stretch = (M * G - 2e3 * -0.5) / K
    assert sol["guide.displacement"][-1] == pytest.approx(-(start + way) - stretch, abs=1e-4)
    assert cable.length == "winch.length"


def test_a_wound_cable_goes_slack():
    m = kt.Model("slack")
    load = m.body("load", kt.sphere(M, 0.2), position=(0, 0, -5.0))
    m.float(load)
    m.force("cable", kt.Cable(K, length=kt.Ramp(20.0, start=5.0)), m.ground, load)
    sol = kt.simulate(m, 0.2)
    assert sol["cable.tension"].max() < 1.0
    np.testing.assert_allclose(sol["load.position.z"], -5.0 - 0.5 * G * sol.t**2, atol=1e-4)


def test_a_length_that_is_none_is_refused():
    with pytest.raises(kt.ModelError, match="length"):
        kt.Cable(K, length=-1.0)
    m, load, cable = hoist("nobody.length")
    m.force("cable", cable, m.ground, load)
    with pytest.raises(kt.KinetreeError, match=r"no output named 'nobody\.length'"):
        kt.simulate(m, 0.1)
