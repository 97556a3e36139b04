"""Drivers whose velocity jumps: an impulse in the mass metric, the same in every formulation,
coordinates and integrator.

A rod hangs on a driven slider, without gravity. The jump dv of the slider gives it, by angular
momentum about the pivot,
dw = -(m l / 2) dv / (m l^2 / 3) = -1.5 dv / l about the axis y, with the rod below the pivot: +1.5
dv as measured here.
"""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.engine.equations.interface import evaluate_equations as equations
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.models.four_bar import four_bar

EXACT = [f.name for f in FORMULATIONS if f.loops and (f.exact or f.name == "baumgarte")]
INTEGRATORS = {
    "dopri5": {},
    "bdf": {},
    "switching": {},
    "rk4": {"step": 3e-3},
    "adams-fixed": {"step": 3e-3},
    "euler": {"step": 1e-4},
}


def hung_rod(motion) -> kt.Model:
    m = kt.Model("hung rod", gravity=(0, 0, 0))
    cart, rod = m.body("cart", kt.mass(1.0, (1, 1, 1))), m.body("rod", kt.rod(1.0, 1.0, along="z"))
    m.joint("slide", kt.Translational(axis="x"), m.ground, cart)
    m.joint("pin", kt.Revolute(axis="y"), cart, rod.end("+"))
    m.constraint("drive", kt.Driver("slide.displacement", motion))
    return m


SINE = kt.Sine(1.0, 0.25, begin=0.1, end=0.3)  # begins with pi / 2 m/s


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("formulation", EXACT)
def test_the_rod_starts_to_turn_by_the_impulse_of_its_pivot(formulation, coordinates):
    sol = kt.simulate(
        hung_rod(SINE),
        0.1 + 1e-9,
        coordinates=coordinates,
        formulation=formulation,
        output_interval=0.1,
    )
    assert sol.success
    assert_allclose(sol["slide.displacement.rate"][-1], math.pi / 2, rtol=1e-8)
    assert_allclose(
        sol["pin.angle.rate"][-1], 1.5 * math.pi / 2, rtol=1e-7
    )  # 1e-9 s after the jump
    assert_allclose(sol["pin.angle.rate"][0], 0.0, atol=1e-12)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_every_integrator_ends_a_step_at_the_jump(integrator):
    options = INTEGRATORS[integrator]
    sol, ref = (
        kt.simulate(hung_rod(SINE), 0.5, integrator=name, formulation="projection", **more)
        for name, more in ((integrator, options), ("adams", {"rtol": 1e-11}))
    )
    near = {"euler": 2e-3, "bdf": 1e-6}.get(integrator, 1e-7)  # Euler: first order, h = 1e-4
    assert_allclose(sol["pin.angle.rate"], ref["pin.angle.rate"], atol=near)
    for t in (0.1, 0.3):
        assert np.nextafter(t, 0.0) in sol.steps.t


@pytest.mark.parametrize(
    "motion",
    [
        kt.Ramp(2.0, begin=0.1, end=0.2),
        kt.Table((0.0, 0.1, 0.2, 0.3), (0.0, 0.0, 0.2, 0.2), smooth=False),
        kt.Function(lambda t: min(max(t - 0.1, 0.0), 0.1) * 2.0, breakpoints=[0.1, 0.2]),
        kt.Function(
            lambda t: min(max(t - 0.1, 0.0), 0.1) * 2.0,
            lambda t: 2.0 if 0.1 < t <= 0.2 else 0.0,
            lambda t: 0.0,
            breakpoints=[0.1, 0.2],
        ),
    ],
    ids=["ramp", "table", "function", "function with rates"],
)
def test_however_the_motion_is_given_the_jump_is_the_same(motion):
    sol = kt.simulate(hung_rod(motion), 0.4, formulation="projection", output_interval=0.05)
    rate, angle = sol["pin.angle.rate"], sol["pin.angle"]
    after = np.flatnonzero(sol.t == 0.1)[0]
    assert_allclose(
        rate[after], 3.0, rtol=1e-9
    )  # a sample on the break shows the machine just after it
    stop = np.flatnonzero(sol.t == 0.2)[0]
    w = 3.0  # while the slider moves evenly nothing turns the rod; its angle is then w 0.1
    assert_allclose(angle[stop], 0.1 * w, rtol=1e-9)
    assert_allclose(
        rate[stop:], w - 1.5 * 2.0 * math.cos(0.1 * w), rtol=1e-7
    )  # the lever of the second impulse


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_impulse_in_a_closed_loop_acts_along_the_constraints_alone(coordinates):
    m = four_bar()
    joint = next(iter(m.joints))
    start = kt.assemble(m).coordinates[f"{joint}.angle"]
    m.constraint("motor", kt.Driver(f"{joint}.angle", kt.Ramp(3.0, start=start, begin=0.05)))
    sol = kt.simulate(m, 0.06, coordinates=coordinates, formulation="qr", output_interval=0.01)
    (jump,), compiled = sol.result.jumps, sol.compiled
    work, (q, v, x) = compiled.workspace(), compiled.split(jump.after)
    equations(compiled.tables, work, jump.t, q.copy(), v.copy(), x.copy())
    change = v - compiled.split(jump.before)[1]
    momentum = (np.tril(work.M) + np.tril(work.M, -1).T) @ change  # M has its lower half
    lam = np.linalg.lstsq(work.G.T, -momentum, rcond=1e-10)[0]
    assert np.abs(change).max() > 1.0
    assert_allclose(-work.G.T @ lam, momentum, atol=1e-9 * np.abs(momentum).max())
    assert_allclose(sol[f"{joint}.angle.rate"][-1], 3.0, rtol=1e-9)
    assert sol.energy.imbalance < 1e-7  # the impulse is in the ledger; rtol 1e-8


def test_between_the_samples_each_side_of_a_jump_keeps_its_own_velocity():
    motion = kt.Ramp(2.0, begin=0.1, end=0.2)
    fine, coarse = (
        kt.simulate(hung_rod(motion), 0.4, output_interval=h, rtol=1e-10) for h in (0.001, 0.08)
    )
    near = np.array([0.0999, 0.1001, 0.15, 0.1999, 0.2001, 0.3])
    found = coarse.at(near)
    assert found.success
    assert_allclose(
        found["pin.angle.rate"], fine.at(near)["pin.angle.rate"], atol=1e-5
    )  # a cubic over 0.08 s
    assert_allclose(found["slide.displacement.rate"], [0, 2, 2, 2, 0, 0], atol=1e-9)


def test_a_motion_that_ends_with_the_run_is_not_stopped_by_its_end():
    sol = kt.simulate(hung_rod(kt.Ramp(2.0, begin=0.1, end=0.3)), 0.3, formulation="projection")
    assert_allclose(sol["slide.displacement.rate"][-1], 2.0, rtol=1e-12)
    assert_allclose(sol["pin.angle.rate"][-1], 3.0, rtol=1e-7)


def test_a_declared_jump_of_position_is_refused_before_the_run():
    motion = kt.Function(lambda t: 0.0 if t < 0.2 else 1.0, breakpoints=[0.2])
    with pytest.raises(kt.ModelError, match=r"'drive'.*jumps at t = 0\.2 s"):
        kt.simulate(hung_rod(motion), 1.0)
    kt.simulate(hung_rod(motion), 0.1)  # it never gets there


@pytest.mark.parametrize(
    "motion",
    [
        lambda t: 0.0 if t < 0.2 else 1.0,
        kt.Function(lambda t: 0.0 if t <= 0.2 else 1e-3, lambda t: 0.0, lambda t: 0.0),
    ],
    ids=["differenced", "with rates"],
)
@pytest.mark.parametrize(
    "options",
    [
        {"integrator": "adams"},
        {"integrator": "dopri5"},
        {"integrator": "bdf"},
        {"integrator": "rk4", "step": 0.01},
    ],
    ids=lambda o: o["integrator"],
)
def test_an_undeclared_jump_of_position_is_refused_where_a_step_shows_it(motion, options):
    with pytest.raises(
        kt.SimulationError, match=r"a driver prescribes jumps: driver 'drive' at t = 0\.2(0000)? s"
    ) as error:
        kt.simulate(hung_rod(motion), 1.0, output_interval=0.05, **options)
    assert error.value.element == "drive"
    assert len(error.value.solution.t) >= 4  # 0, 0.05, 0.1, 0.15 are kept
    assert np.abs(error.value.solution["slide.displacement"]).max() < 1e-6


def test_an_undeclared_jump_of_a_given_rate_asks_for_the_breakpoint():
    motion = kt.Function(
        lambda t: max(t - 0.2, 0.0), lambda t: 1.0 if t > 0.2 else 0.0, lambda t: 0.0
    )
    with pytest.raises(kt.SimulationError, match=r"breakpoints=\[0\.2\]"):
        kt.simulate(hung_rod(motion), 1.0)


@pytest.mark.parametrize("formulation", ["augmented", "projection", "partitioning"])
def test_an_undeclared_kink_is_followed_by_short_steps(formulation):
    sol = kt.simulate(
        hung_rod(lambda t: max(t - 0.2, 0.0)), 0.5, formulation=formulation, rtol=1e-7
    )
    assert_allclose(sol["pin.angle.rate"][-1], 1.5, rtol=1e-4)  # the kink is rounded over 2e-4 s


def test_fast_but_smooth_motion_is_not_taken_for_a_jump():
    motion = kt.Function(
        lambda t: 0.3 * math.tanh(2000.0 * (t - 0.2))
    )  # 0.3 m within a millisecond
    sol = kt.simulate(hung_rod(motion), 0.4, rtol=1e-6)
    assert sol.success
    assert_allclose(sol["slide.displacement"][-1], 0.3, rtol=1e-9)
