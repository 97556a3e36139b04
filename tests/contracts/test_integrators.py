"""What every integrator in the catalogue must do; a new entry is tested without editing this file."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import CubicHermiteSpline

from kinetree.engine.integrators.catalogue import find
from kinetree.engine.integrators.integrate import integrate
from kinetree.engine.integrators.nodes import POINTS
from kinetree.kernel.decorators import kernel
from kinetree.kernel.tables.records import empty_tables
from kinetree.kernel.tables.status import Status
from kinetree.kernel.tables.workspace import workspace
from support.methods import PLAIN

ADAPTIVE = [entry.name for entry in PLAIN if entry.adaptive]
FIXED = [
    (entry.name, order)
    for entry in PLAIN
    if not entry.adaptive
    for order in entry.orders or (entry.order,)
]
ALL = [entry.name for entry in PLAIN]
STEP = {entry.name: None if entry.adaptive else 0.01 for entry in PLAIN}


def chosen(name, order):
    """`order=` for the methods that have the choice."""
    return {"order": order} if next(entry.orders for entry in PLAIN if entry.name == name) else {}


TOLERANCES = 10.0 ** -np.arange(4.0, 11.5)


@kernel
def turning(tables, work, t, y, ydot):
    """A pointer turning at the rate 1 + z while z grows logistically."""
    rate = 1.0 + y[2]
    ydot[0], ydot[1], ydot[2] = -rate * y[1], rate * y[0], y[2] * (1.0 - y[2])
    return 0


def turned(t):
    """Closed form of `turning` from (1, 0, 0.2): the angle is t + integral of z."""
    angle = t + np.log((np.exp(t) + 4.0) / 5.0)
    return np.stack([np.cos(angle), np.sin(angle), 1.0 / (1.0 + 4.0 * np.exp(-t))], axis=-1)


@kernel
def oscillator(tables, work, t, y, ydot):
    ydot[0], ydot[1] = y[1], -y[0]
    return 0


@kernel
def logistic(tables, work, t, y, ydot):
    ydot[0] = y[0] * (1.0 - y[0])
    return 0


@kernel
def orbit(tables, work, t, y, ydot):
    cube = math.sqrt(y[0] * y[0] + y[1] * y[1]) ** 3
    ydot[0], ydot[1], ydot[2], ydot[3] = y[2], y[3], -y[0] / cube, -y[1] / cube
    return 0


@kernel
def nan_after_one(tables, work, t, y, ydot):
    ydot[0] = -y[0] if t <= 1.0 else math.nan
    return 0


@kernel
def singular_after_one(tables, work, t, y, ydot):
    ydot[0] = -y[0]
    return 2 if t > 1.0 else 0


@kernel
def open_after_one(tables, work, t, y):
    return 4 if t > 1.0 else 0


@kernel
def decay_with_one_bad_call(tables, work, t, y, ydot):
    """NaN at one call only, as a force law may give at a trial state; which one is told in
    report.index.
    """
    report = work.report[0]
    report.evaluations += 1
    ydot[0] = math.nan if report.evaluations == report.index else -y[0]
    return 0


@kernel
def stiff_pursuit(tables, work, t, y, ydot):
    ydot[0] = -1e4 * (y[0] - math.cos(t))
    return 0


@kernel
def towards_overflow(tables, work, t, y, ydot):
    ydot[0] = 250.0 * y[0]
    return 0


@kernel
def to_the_circle(tables, work, t, y):
    """Project onto the unit circle and report as a formulation would."""
    report, length = work.report[0], math.sqrt(y[0] * y[0] + y[1] * y[1])
    report.position_error, report.velocity_error, report.iterations, report.factorisations = (
        length - 1.0,
        0.5,
        3,
        2,
    )
    y[0], y[1] = y[0] / length, y[1] / length
    return 0


@pytest.mark.parametrize("steps", [40, 40.4], ids=["whole steps", "last step cut"])
@pytest.mark.parametrize("name, order", FIXED)
def test_a_fixed_step_method_has_its_declared_order(name, order, steps):
    errors = [
        np.abs(
            integrate(
                turning, [1.0, 0.0, 0.2], 2.0, method=name, step=2.0 / n, **chosen(name, order)
            ).y
            - turned(2.0)
        ).max()
        for n in (steps, 2 * steps)
    ]
    assert (
        abs(math.log2(errors[0] / errors[1]) - order) < 0.4
    )  # 0.3 seen at these finite steps, all orders


BACKWARD = {
    "bdf": 5.0
}  # on oscillations its errors all point the same way, and tight tolerances take many steps
ECCENTRICITY, APSIS_SPEED = 0.3, math.sqrt(1.3 / 0.7)
# problem, start, until, exact end, largest error / rtol: how much the problem itself magnifies
# errors
SMOOTH = {
    "oscillator": (oscillator, [1.0, 0.0], 20.0, [math.cos(20.0), -math.sin(20.0)], 100.0),
    "logistic": (logistic, [0.01], 10.0, [1.0 / (1.0 + 99.0 * math.exp(-10.0))], 10.0),
    "orbit": (
        orbit,
        [0.7, 0.0, 0.0, APSIS_SPEED],
        6.0 * math.pi,
        [0.7, 0.0, 0.0, APSIS_SPEED],
        5000.0,
    ),
}


@pytest.mark.parametrize("problem", SMOOTH)
@pytest.mark.parametrize("name", ADAPTIVE)
def test_the_error_of_an_adaptive_method_follows_the_tolerance(name, problem):
    rhs, start, until, exact, factor = SMOOTH[problem]
    errors = []
    # a pair of order 2(1) takes a million steps for the tight ones
    tolerances = TOLERANCES if find(name).order > 3 else TOLERANCES[TOLERANCES >= 1e-7]
    for rtol in tolerances:
        result = integrate(rhs, start, until, method=name, rtol=rtol)
        assert result.done
        errors.append(np.abs(result.y - exact).max())
    assert (errors < factor * BACKWARD.get(name, 1.0) * tolerances).all()
    assert (
        0.75 < np.polyfit(np.log(tolerances), np.log(errors), 1)[0] < 1.3
    )  # slope 1; runs scatter


@pytest.mark.parametrize("rtol", [1e-4, 1e-7, 1e-10])
@pytest.mark.parametrize("name", ADAPTIVE)
def test_samples_inside_the_steps_are_as_accurate_as_the_steps(name, rtol):
    times = np.linspace(0.0, 20.0, 1777)
    result = integrate(oscillator, [1.0, 0.0], 20.0, method=name, rtol=rtol, samples=times)
    assert_array_equal(result.samples_t, times)
    errors = np.abs(result.samples_y - np.stack([np.cos(times), -np.sin(times)], axis=-1)).max(
        axis=1
    )
    at_end = np.abs(result.y - [math.cos(20.0), -math.sin(20.0)]).max()
    assert (
        errors.max() < 2.0 * at_end + 10.0 * rtol
    )  # errors grow with time; a step may add ten tolerances


@pytest.mark.parametrize("name, order", FIXED)
def test_samples_of_a_fixed_step_method_lie_on_the_cubic_through_the_steps(name, order):
    h, times = 0.05, np.linspace(0.0, 2.0, 333)
    fine, ends = (
        integrate(
            oscillator, [1.0, 0.0], 2.0, method=name, step=h, samples=wanted, **chosen(name, order)
        )
        for wanted in (times, np.append(np.arange(40) * h, 2.0))
    )
    y, v = ends.samples_y.T
    assert len(ends.log) == 40
    spline = CubicHermiteSpline(ends.samples_t, ends.samples_y, np.stack([v, -y], axis=-1))
    assert_allclose(fine.samples_y, spline(times), rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("name", ALL)
def test_samples_at_the_start_and_the_end_are_the_states_there(name):
    result = integrate(
        turning, [1.0, 0.0, 0.2], 0.73, method=name, step=STEP[name], samples=[0.0, 0.0, 0.73, 0.73]
    )
    assert_array_equal(result.samples_y[:2], [[1.0, 0.0, 0.2]] * 2)
    assert_allclose(
        result.samples_y[2:], [result.y] * 2, rtol=1e-15
    )  # one rounding in the polynomial


class AllPoints:
    """A detector that stores all interpolation points and never interrupts."""

    def __init__(self):
        self.occurrences, self.t, self.y = [], [], []

    def begin(self, t, y):
        return None

    def process(self, ends, points):
        self.t.append((ends[:-1, None] + np.diff(ends)[:, None] * POINTS[1:]).ravel())
        self.y.append(points[:, 1:].reshape(-1, points.shape[2]))
        assert points.shape[0] == len(ends) - 1 and (np.diff(ends) > 0.0).all()


@pytest.mark.parametrize("name", ALL)
def test_interpolation_points_lie_on_the_curve_of_the_samples(name):
    """They are as accurate as samples, and a detector changes nothing else."""
    detector, options = AllPoints(), {"rtol": 1e-6} if STEP[name] is None else {"step": 0.05}
    watched = integrate(oscillator, [1.0, 0.0], 2.0, method=name, detector=detector, **options)
    times = np.concatenate(detector.t)
    assert len(times) == 8 * watched.accepted
    plain = integrate(oscillator, [1.0, 0.0], 2.0, method=name, samples=times, **options)
    assert_array_equal(watched.y, plain.y)
    assert_allclose(
        np.concatenate(detector.y), plain.samples_y, rtol=0.0, atol=1e-14
    )  # roundings of the polynomial at its end


@pytest.mark.parametrize("chunk", [1, 7])
@pytest.mark.parametrize("name", ALL)
def test_a_run_in_chunks_equals_the_run_in_one_piece_bit_by_bit(name, chunk):
    times = np.linspace(0.0, 3.0, 50)
    runs = [
        integrate(
            turning, [1.0, 0.0, 0.2], 3.0, method=name, step=STEP[name], samples=times, chunk=size
        )
        for size in (chunk, 100000)
    ]
    for field in ("y", "ydot", "log", "samples_y", "evaluations"):
        assert_array_equal(getattr(runs[0], field), getattr(runs[1], field))


@pytest.mark.parametrize("largest", [0.3, 0.01, 1.0 / 300.0])
@pytest.mark.parametrize("name", ADAPTIVE)
def test_no_step_is_longer_than_max_step(name, largest):
    result = integrate(turning, [1.0, 0.0, 0.2], 2.0, method=name, rtol=1e-4, max_step=largest)
    assert result.log["h"].max() <= largest * (
        1.0 + 1e-12
    )  # the last step may take up the rounding of the sum
    assert len(result.log) >= 2.0 / largest - 1e-9


@pytest.mark.parametrize("until", [2.0, 2.0 + 1e-9, 2.3])
@pytest.mark.parametrize("name", ADAPTIVE)
def test_no_sliver_of_a_step_is_left_at_the_end(name, until):
    h = integrate(turning, [1.0, 0.0, 0.2], until, method=name, rtol=1e-4, max_step=0.01).log["h"]
    assert h[-1] > 0.4 * h[-3]


@pytest.mark.parametrize(
    "t0, until", [(0.0, 1.0 / 3.0), (0.1, 0.7), (-1.7, 3.3), (1e6, 1e6 + 1.0), (0.0, 1e-9)]
)
@pytest.mark.parametrize("name", ALL)
def test_the_end_time_is_hit_exactly_and_steps_add_up(name, t0, until):
    step = None if STEP[name] is None else (until - t0) / 30.7
    result = integrate(oscillator, [1.0, 0.0], until, t0=t0, method=name, step=step)
    assert result.status == Status.DONE
    assert result.t == result.log["t"][-1] == until
    assert (np.diff(result.log["t"]) > 0.0).all()
    assert_allclose(
        result.log["t"] - t0,
        np.cumsum(result.log["h"]),
        rtol=1e-9,
        atol=1e-9 * (until - t0) + 1e-15 * t0,
    )


@pytest.mark.parametrize("name", ALL)
def test_the_step_log_accounts_for_all_work(name):
    result = integrate(
        orbit,
        [0.7, 0.0, 0.0, APSIS_SPEED],
        6.0,
        method=name,
        **({"rtol": 1e-6} if STEP[name] is None else {"step": STEP[name]}),
    )
    assert len(result.log) == result.accepted
    assert result.log["evaluations"].sum() == result.evaluations
    assert result.log["rejected"].sum() == result.rejected
    assert (result.log["error"] <= 1.0).all()


@pytest.mark.parametrize(
    "rhs, cause", [(nan_after_one, Status.NOT_FINITE), (singular_after_one, Status.SINGULAR_MASS)]
)
@pytest.mark.parametrize("name", ALL)
def test_a_right_hand_side_that_fails_for_good_ends_the_run_at_the_last_good_state(
    name, rhs, cause
):
    options = {"step": STEP[name]} if STEP[name] else {"rtol": 1e-4}
    result = integrate(rhs, [1.0], 2.0, method=name, **options)
    assert result.status == cause
    assert 0.98 < result.t <= 1.0
    assert_allclose(result.y, math.exp(-result.t), rtol=0.02)  # Euler, h = 0.01
    assert result.evaluations < 1000
    assert np.isfinite(result.ydot).all()


@pytest.mark.parametrize("name", ALL)
def test_an_overflowing_state_is_never_accepted(name):
    result = integrate(
        towards_overflow,
        [1e149],
        4.0,
        method=name,
        **({"rtol": 1e-2} if STEP[name] is None else {"step": STEP[name]}),
    )
    assert result.status == Status.NOT_FINITE
    assert (
        np.isfinite(result.y).all() and result.t < 2.94
    )  # exp(250 t) 1e149 passes 1.8e308 at 1.47 s, Euler's 3.5^n at 2.93 s


@pytest.mark.parametrize("name", ALL)
def test_a_state_that_cannot_be_settled_ends_the_run_with_that_cause(name):
    result = integrate(
        oscillator, [1.0, 0.0], 2.0, project=open_after_one, method=name, step=STEP[name]
    )
    assert result.status == Status.NO_CLOSURE
    assert 0.98 < result.t <= 1.0


@pytest.mark.parametrize("name", ALL)
def test_a_failure_at_the_start_is_reported_at_once(name):
    result = integrate(nan_after_one, [1.0], 3.0, t0=2.0, method=name, step=STEP[name])
    assert (result.status, result.t, result.evaluations, len(result.log)) == (
        Status.NOT_FINITE,
        2.0,
        1,
        0,
    )
    assert_array_equal(result.y, [1.0])


@pytest.mark.parametrize("name", ALL)
def test_a_single_bad_evaluation_rejects_an_adaptive_step_and_ends_a_fixed_one(name):
    for call in range(2, 90):
        tables = empty_tables()
        work = workspace(tables)
        work.report["index"] = call
        result = integrate(
            decay_with_one_bad_call,
            [1.0],
            4.0,
            tables=tables,
            work=work,
            method=name,
            step=STEP[name],
        )
        assert np.isfinite(result.y).all() and np.isfinite(result.ydot).all()
        assert_allclose(
            result.y, math.exp(-result.t), atol=1e-7 if STEP[name] is None else 2e-3
        )  # Euler, h = 0.01
        assert result.status == (Status.DONE if STEP[name] is None else Status.NOT_FINITE)


@pytest.mark.parametrize("name", ALL)
def test_accepted_states_are_settled_and_derivatives_belong_to_them(name):
    result = integrate(
        oscillator, [1.0, 0.0], 5.0, project=to_the_circle, method=name, step=STEP[name]
    )
    assert_allclose(np.hypot(*result.y), 1.0, rtol=4e-16)
    assert_array_equal(result.ydot, [result.y[1], -result.y[0]])
    assert_allclose(
        result.y, [math.cos(5.0), -math.sin(5.0)], atol=1e-3
    )  # Euler on the circle, h = 0.01
    assert (result.log["iterations"] == 3).all() and (result.log["factorisations"] == 2).all()
    assert (result.log["velocity_error"] == 0.5).all() and np.abs(
        result.log["position_error"]
    ).max() > 0.0


@pytest.mark.parametrize("name", ADAPTIVE)
def test_a_stiff_problem_costs_steps_but_stays_bounded(name):
    times = np.linspace(0.01, 1.0, 100)
    result = integrate(stiff_pursuit, [0.0], 1.0, method=name, rtol=1e-5, samples=times)
    assert result.done
    assert (
        np.abs(result.samples_y[:, 0] - np.cos(times)).max() < 1e-3
    )  # exact solution within 1e-4 of cos t


@pytest.mark.parametrize("name", ALL)
def test_a_problem_without_components_runs_to_its_end(name):
    result = integrate(nothing, [], 1.0, method=name, step=STEP[name])
    assert result.done and result.t == 1.0


@kernel
def nothing(tables, work, t, y, ydot):
    return 0
