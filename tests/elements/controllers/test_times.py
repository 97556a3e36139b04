"""Times far from zero, before zero and very short ones; times as whole numbers and as numbers of
NumPy's.
"""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt


def oscillator(frequency, size=1.0, mass=1.0, gravity=9.81):
    """A mass on a spring, started at a tenth of its size."""
    m = kt.Model("oscillator", gravity=(0, 0, -gravity))
    body = m.body("b", kt.sphere(mass, 0.2 * size))
    m.joint("s", kt.Translational("x"), m.ground, body, start={"displacement": 0.1 * size})
    m.force(
        "k", kt.TorsionSpring("s.displacement", stiffness=mass * (2 * math.pi * frequency) ** 2)
    )
    return m


@pytest.mark.parametrize(
    "size, mass, period",
    [(1e-9, 1e-24, 1e-12), (1e-6, 1e-15, 1e-8), (1.0, 1.0, 1.0), (1e3, 1e6, 3e7)],
)
def test_a_machine_of_any_size_and_speed_gives_the_same_numbers(size, mass, period):
    """x = x0 cos(2 pi t / T): the run, its events, and runs that go on from between its samples, at
    an event and in motion.
    """
    m = oscillator(1 / period, size, mass, gravity=0.0)
    half = kt.Event("s.displacement", level=0.05 * size, name="half")
    sol = kt.simulate(m, 3 * period, rtol=1e-9, events=["s.displacement", half])
    assert_allclose(
        sol["s.displacement"], 0.1 * size * np.cos(2 * np.pi * sol.t / period), atol=1e-7 * size
    )
    assert_allclose(sol.events["s.displacement"].t / period, np.arange(6) * 0.5 + 0.25, atol=1e-7)
    assert_allclose(
        sol.events["half"].t / period, [k + s for k in range(3) for s in (1 / 6, 5 / 6)], atol=1e-7
    )
    for at in (0.1234 * period, float(sol.events["half"].t[2]), 1.7 * period):
        rest = kt.simulate(m, 3 * period, rtol=1e-9, state=sol.at(at), events=[half])
        assert_allclose(
            rest["s.displacement"][[0, -1]] / size,
            0.1 * np.cos(2 * np.pi * np.array([at, 3 * period]) / period),
            atol=1e-7,
        )
        assert_allclose(
            rest.events["half"].t,
            [t for t in sol.events["half"].t if t > at * (1 + 1e-9)],
            atol=1e-7 * period,
        )
    assert sol.energy.imbalance < 1e-6


@pytest.mark.parametrize("t0", [-10.0, -1e6, 1e6, 1e8, 1e9, 1.7e9])
def test_runs_may_start_at_any_time(t0):
    sol = kt.simulate(oscillator(1.0), t0 + 1.0, t0=t0)
    assert_allclose(sol["s.displacement"][-1], 0.1, atol=1e-5)  # one period
    rest = kt.simulate(oscillator(1.0), t0 + 1.0, state=sol.at(t0 + 0.5))
    assert_allclose(rest["s.displacement"][[0, -1]], [-0.1, 0.1], atol=1e-5)


def test_a_run_needs_to_end_after_its_start():
    sol = kt.simulate(oscillator(1.0), -9.0, t0=-10.0)
    with pytest.raises(kt.ModelError, match="must be after the start"):
        kt.simulate(oscillator(1.0), -9.8, state=sol.at(-9.5))
    with pytest.raises(kt.ModelError, match="until must be positive"):
        kt.simulate(oscillator(1.0), -1.0)


@pytest.mark.parametrize("kind", [int, np.int64, np.float32, np.float64])
def test_times_are_numbers_of_any_kind(kind):
    m = oscillator(1.0)
    m.force(
        "push",
        kt.PointForce(
            (kt.Ramp(1.0, begin=kind(1), end=kind(2)), kt.Sine(1.0, 1.0, begin=kind(1)), 0.0)
        ),
        m.bodies["b"],
    )
    sol = kt.simulate(m, kind(3), t0=kind(0), breakpoints=[kind(1)], output_interval=kind(1))
    assert sol.success and sol.t.dtype == float and isinstance(sol.options["until"], float)
    assert kt.equilibrium(oscillator(1.0), t=kind(1)).state.q[0] == pytest.approx(0.0, abs=1e-9)
    ode = kt.solve_ode(lambda t, y, ydot: None, [kind(1)], kind(1), start=kind(0))
    assert ode.t[-1] == 1.0
