"""Switching method: L, the rule of the paper, and costs near those of the better method."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.engine.integrators.integrate import integrate
from kinetree.errors import ModelError
from kinetree.kernel.decorators import kernel

from .test_bdf import PROBLEMS, solve


@kernel
def stiffening(tables, work, t, y, ydot):
    """y0 follows cos t at the rate 10^t, with a fast oscillator of that frequency, damped, beside
    it.
    """
    L = 10.0**t
    ydot[0] = -L * (y[0] - math.cos(t))
    ydot[1], ydot[2] = y[2], -0.25 * L * L * y[1] - 0.5 * L * y[2]
    return 0


@kernel
def ringing(tables, work, t, y, ydot):
    """An undamped oscillator of 2000 rad/s: large L, but not stiff."""
    ydot[0], ydot[1] = y[1], -4e6 * y[0]
    return 0


def run(rhs, start, until, **options):
    result = integrate(rhs, start, until, rtol=1e-7, **{"method": "switching", **options})
    assert result.done
    return result


def changes(log):
    return [
        (float(log["t"][k]), int(log["method"][k + 1]))
        for k in np.flatnonzero(np.diff(log["method"]))
    ]


def test_the_lipschitz_constant_is_the_spectral_radius():
    log = run(stiffening, [1.0, 1e-3, 0.0], 4.0, calibrate=False).log
    # before that the directions still turn: up to 1.2 times too much was seen
    log = log[log["t"] > 2.4]
    # an estimate may be 30 steps old
    behind = np.interp(np.arange(len(log)) - 30.0, np.arange(len(log)), log["t"])
    assert (log["stiffness"] < 1.05 * 10.0 ** log["t"])[log["method"] == 0].all()
    assert (log["stiffness"] > 0.9 * 10.0**behind)[
        (log["method"] == 0) & (np.arange(len(log)) > 30)
    ].all()


def test_the_rule_of_the_paper_switches_where_l_passes_the_threshold():
    for threshold in (500.0, None):
        ((t, method),) = changes(
            run(stiffening, [1.0, 1e-3, 0.0], 4.0, calibrate=False, threshold=threshold).log
        )
        assert method == 1
        # looked at every 25 steps of 0.7 ms and less
        assert_allclose(t, math.log10(threshold or 1500.0), atol=0.03)


def test_adams_returns_below_seven_tenths_of_the_threshold():
    log = run(swelling, [1.0], 4.0, calibrate=False).log
    (up, first), (down, second) = changes(log)
    assert (first, second) == (1, 0)
    assert 1500.0 <= rate(up) < 1800.0
    seen = log["stiffness"][log["t"] > down][0]
    assert seen <= 0.7 * 1500.0
    # 27 was seen: BDF looks at L once per Jacobian or every 40 steps, and its steps are long
    assert rate(down) > 10.0


def rate(t):
    return 10.0 ** (4.0 - (t - 2.0) ** 2)


@kernel
def swelling(tables, work, t, y, ydot):
    ydot[0] = -(10.0 ** (4.0 - (t - 2.0) ** 2)) * (y[0] - math.cos(t))
    return 0


def test_within_the_hysteresis_the_method_stays():
    """L rises to 2000 and falls to 1250 1/s, which is below the threshold but above seven tenths of
    it.
    """
    log = run(lingering, [1.0], 12.0, calibrate=False).log
    assert log["stiffness"].max() > 1900.0 and log["stiffness"][-1] < 1300.0
    ((t, method),) = changes(log)
    assert method == 1 and t < 2.0


@kernel
def lingering(tables, work, t, y, ydot):
    L = 2000.0 * t if t < 1.0 else 1250.0 + 750.0 * math.exp(1.0 - t)
    ydot[0] = -L * (y[0] - math.cos(t))
    return 0


def test_calibration_leaves_fast_oscillations_to_adams():
    calibrated, paper = (run(ringing, [1.0, 0.0], 0.05, calibrate=c) for c in (True, False))
    adams = run(ringing, [1.0, 0.0], 0.05, method="adams")
    assert paper.log["method"].sum() > 0.9 * len(paper.log)  # L = 2000 counts as stiff
    assert calibrated.evaluations < 1.15 * adams.evaluations
    assert paper.evaluations > 1.5 * adams.evaluations


def test_calibration_leaves_stiff_pursuits_to_bdf_below_the_threshold():
    start = [1.0, 1e-3, 0.0]
    calibrated, paper, bdf, adams = (
        run(stiffening, start, 3.5, **o)
        for o in ({}, {"calibrate": False}, {"method": "bdf"}, {"method": "adams"})
    )
    assert changes(calibrated.log)[0][0] < changes(paper.log)[0][0]
    assert calibrated.evaluations < 1.1 * min(bdf.evaluations, adams.evaluations)


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("name", PROBLEMS)
def test_switching_costs_little_more_than_the_better_method(name, rtol):
    if name == "robertson":
        better = solve(name, rtol, integrator="bdf")[0].evaluations  # Adams would need 1e14 steps
    else:
        better = min(
            solve(name, rtol, integrator=m, max_steps=10**8)[0].evaluations
            for m in ("adams", "bdf")
        )
    assert solve(name, rtol, integrator="switching")[0].evaluations < 1.2 * better


def test_estimates_of_L_cost_a_few_percent():
    plain, watched = (
        run(kepler, [0.7, 0.0, 0.0, math.sqrt(1.3 / 0.7)], 50.0, method=m)
        for m in ("adams", "switching")
    )
    assert (watched.log["method"] == 0).all()
    # 1.04, and some more as L changes threefold along the orbit
    assert watched.evaluations < 1.08 * plain.evaluations
    assert_allclose(watched.y, plain.y, rtol=1e-12)  # the very same steps


@kernel
def kepler(tables, work, t, y, ydot):
    cube = math.sqrt(y[0] * y[0] + y[1] * y[1]) ** 3
    ydot[0], ydot[1], ydot[2], ydot[3] = y[2], y[3], -y[0] / cube, -y[1] / cube
    return 0


def test_a_change_of_method_does_not_restart_at_order_one():
    log = run(stiffening, [1.0, 1e-3, 0.0], 4.0, calibrate=False).log
    k = int(np.flatnonzero(np.diff(log["method"]))[0])
    assert log["order"][k + 1] >= min(2, log["order"][k])
    assert log["h"][k + 1] > 0.5 * log["h"][k]
    log = run(swelling, [1.0], 4.0, calibrate=False).log
    k = int(np.flatnonzero(np.diff(log["method"]))[1])
    assert log["order"][k + 1] >= 2


EVERY = 0.05


def new_estimates(log):
    """Rows of the log with a new L: those after the ends of intervals."""
    number = np.floor(log["t"] / EVERY + 1e-9)
    return np.flatnonzero(number[:-1] > np.append(0.0, number[:-2])) + 1


def test_linearizing_at_fixed_intervals_gives_the_spectral_radius_there():
    log = run(stiffening, [1.0, 1e-3, 0.0], 4.0, linearize_every=EVERY, max_step=0.02).log
    at = new_estimates(log)
    assert 78 <= len(at) <= 80
    # estimates agree to 1 %
    assert_allclose(log["stiffness"][at], 10.0 ** log["t"][at - 1], rtol=0.02)
    held = np.setdiff1d(np.arange(1, len(log)), at)
    assert (log["stiffness"][held] == log["stiffness"][held - 1]).all()


def test_the_printed_rule_decides_by_l_alone_at_the_ends_of_intervals():
    ((t, method),) = changes(run(stiffening, [1.0, 1e-3, 0.0], 4.0, linearize_every=EVERY).log)
    assert method == 1
    assert math.log10(1500.0) <= t <= math.log10(1500.0) + EVERY + 0.01  # and a step
    # L = 2000, whatever it costs
    assert run(ringing, [1.0, 0.0], 0.5, linearize_every=EVERY).log["method"][-1] == 1


def test_the_printed_rule_has_no_hysteresis():
    (up, first), (down, second) = changes(run(lingering, [1.0], 12.0, linearize_every=EVERY).log)
    assert (first, second) == (1, 0)
    assert 0.75 <= up <= 0.75 + EVERY + 0.01
    # where 1250 + 750 exp(1 - t) falls below 1500
    assert 1.0 + math.log(3.0) <= down <= 1.0 + math.log(3.0) + EVERY + 0.05


def test_a_model_moves_alike_in_the_printed_method():
    from kinetree.models.quarter_car import quarter_car

    model = quarter_car()
    usual, printed = (
        kt.simulate(model, 2.5, integrator="switching", rtol=1e-8, **o)
        for o in ({}, {"linearize_every": EVERY})
    )
    assert_allclose(printed.y, usual.y, atol=1e-4 * np.abs(usual.y).max(axis=0).max())
    (switch,) = printed.switches
    assert switch.after == "bdf" and switch.stiffness >= 1500.0


@pytest.mark.parametrize(
    "options, word",
    [
        ({"integrator": "adams", "threshold": 100.0}, "switching"),
        ({"integrator": "bdf", "calibrate": True}, "switching"),
        ({"integrator": "switching", "threshold": -1.0}, "positive"),
    ],
)
def test_options_of_the_switching_method_are_checked(options, word):
    with pytest.raises(ModelError, match=word):
        kt.solve_ode(lambda t, y, ydot: None, [1.0], 1.0, **options)
