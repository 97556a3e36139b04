"""Runs that would not end stop at their limits, keep their states, and name the cause."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.integrators import budget
from kinetree.engine.integrators.integrate import integrate
from kinetree.kernel.tables.status import Status

from .problems import ORBIT_START, orbit, oscillator


def rubbing() -> kt.Model:
    """A block that comes to rest under sign friction, whose force jumps back and forth."""
    m = kt.Model("rubbing", gravity=(0, 0, 0))
    block = m.body("block", kt.mass(1.0, (1, 1, 1)))
    m.joint("slide", kt.Translational(axis="x"), m.ground, block, speed={"displacement": 1.0})
    m.force("spring", kt.TorsionSpring("slide.displacement", stiffness=1.0))
    m.force("friction", kt.UserForce(_friction), block)
    return m


def _friction(t, a, b, parameters, force, torque):
    force[0] = -5.0 * np.sign(b.velocity[0])


@pytest.mark.parametrize("integrator", ["adams", "dopri5", "bdf", "switching"])
def test_a_chattering_force_is_named_and_the_run_keeps_its_states(integrator):
    with pytest.raises(kt.SimulationError) as error:
        kt.simulate(rubbing(), 10.0, integrator=integrator, output_interval=0.05)
    assert error.value.element == "friction" and "'friction'" in str(error.value)
    solution = error.value.solution
    assert 0.19 < solution.t[-1] < 0.3  # it comes to rest at 0.2 s
    assert len(solution.t) >= 4 and not solution.success
    # the budget of a run with few samples; most are found stalled long before
    assert solution.result.accepted <= 1_000_000


def test_a_bore_in_millimeters_is_diagnosed():
    m = kt.Model("jack", gravity=(0, 0, 0))
    block = m.body("block", kt.mass(50.0, (1, 1, 1)))
    m.joint("slide", kt.Translational(axis="x"), m.ground, block)
    m.force(
        "jack",
        kt.HydraulicCylinder(
            bore=40.0,
            rod=20.0,
            stroke=1.0,
            extension=0.5,
            dead_volume=1e-4,
            supply=1e7,
            valve=kt.Valve(spool=0.5, area=1e-5),
        ),
        m.ground.at(-2, 0, 0),
        block,
    )
    with pytest.raises(kt.SimulationError, match="max_steps") as error:
        kt.simulate(m, 5.0, max_steps=20_000)
    assert error.value.element == "jack" and "eigenvalue" in str(error.value)
    assert error.value.solution.result.accepted == 20_000


def test_a_time_limit_ends_a_run_between_chunks():
    result = integrate(orbit, ORBIT_START, 1e9, time_limit=1e-9)
    assert result.status == Status.OUT_OF_TIME and 0 < result.accepted < 1000 and result.t > 0.0


@pytest.mark.parametrize("method, step", [("adams", None), ("rk4", 0.01)])
def test_steps_are_counted_exactly(method, step):
    result = integrate(
        oscillator,
        [1.0, 0.0],
        1e4,
        method=method,
        step=step,
        max_steps=777,
        samples=[0.0, 1.0, 9e3],
    )
    assert result.status == Status.OUT_OF_STEPS and result.accepted == len(result.log) == 777
    assert len(result.samples_t) == 2


def test_a_run_that_ends_with_its_last_allowed_step_is_done():
    whole = integrate(oscillator, [1.0, 0.0], 20.0)
    assert integrate(oscillator, [1.0, 0.0], 20.0, max_steps=whole.accepted).done
    assert not integrate(oscillator, [1.0, 0.0], 20.0, max_steps=whole.accepted - 1).done


def test_the_default_limit_grows_with_the_samples_and_ignores_fixed_steps(monkeypatch):
    monkeypatch.setattr(budget, "STEPS", 100)
    monkeypatch.setattr(budget, "STEPS_PER_SAMPLE", 20)
    few, many = (
        integrate(oscillator, [1.0, 0.0], 200.0, samples=np.linspace(0.0, 200.0, n))
        for n in (2, 500)
    )
    assert few.status == Status.OUT_OF_STEPS and many.done
    assert integrate(oscillator, [1.0, 0.0], 20.0, method="rk4", step=0.01).done


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "many"])
def test_an_invalid_limit_is_refused(bad):
    with pytest.raises(kt.ModelError, match="max_steps"):
        kt.simulate(rubbing(), 1.0, max_steps=bad)
