"""Every time function: its value is what its formula says, its two derivatives are those of its
value.

Read through a driver g = s - f(t) on a joint at rest, so value, rate and second derivative are
exactly what the
solver sees: f = -g, fdot = nu, fddot = gamma.
"""

import functools
import math

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import kinetree as kt
from kinetree.elements.signals.catalogue import SIGNALS
from support.compiler import said_to_be_plain
from support.machine import machine

TIMES, VALUES = (0.0, 0.4, 1.0, 1.7, 2.0), (0.0, 1.0, -0.5, 0.3, 0.2)
SPLINE = CubicSpline(TIMES, VALUES)


def swing(t):
    return math.sin(3.0 * t) + 0.1 * t * t


def swing_rate(t):
    return 3.0 * math.cos(3.0 * t) + 0.2 * t


def swing_second(t):
    return -9.0 * math.sin(3.0 * t) + 0.2


SAMPLES = {  # kind: [(time function, closed form), ...]
    "constant": [(kt.Constant(0.7), lambda t: 0.7), (0.7, lambda t: 0.7)],
    "ramp": [
        (
            kt.Ramp(2.0, start=0.5, begin=0.2, end=1.2),
            lambda t: 0.5 + 2.0 * (min(max(t, 0.2), 1.2) - 0.2),
        ),
        (kt.Ramp(-1.0), lambda t: -max(t, 0.0)),
    ],
    "cosine-bump": [
        (
            kt.CosineBump(0.8, 0.5, 0.7, begin=0.2),
            lambda t: (
                0.0
                if not 0.2 < t < 1.4
                else 0.4 * (1.0 - math.cos(math.pi * (t - 0.2) / 0.5))
                if t < 0.7
                else 0.4 * (1.0 + math.cos(math.pi * (t - 0.7) / 0.7))
            ),
        ),
        (
            kt.CosineBump(0.8, 0.5, lead=0.3),
            lambda t: (
                0.0
                if not 0.0 < t < 1.0
                else 0.4 * (1.0 - math.cos(2 * math.pi * t))
                + 0.3 * 0.4 * 2 * math.pi * math.sin(2 * math.pi * t)
            ),
        ),
    ],
    "exponential": [(kt.Exponential(0.5, -1.3), lambda t: 0.5 * math.exp(-1.3 * t))],
    "smooth-step": [
        (
            kt.SmoothStep(0.7, 1.5, begin=0.2),
            lambda t: (
                0.7
                * (lambda s: 10 * s**3 - 15 * s**4 + 6 * s**5)(min(max((t - 0.2) / 1.5, 0.0), 1.0))
            ),
        )
    ],
    "input": [(kt.Input("u", 0.7, factor=-2.0), lambda t: -1.4)],
    "smooth-sine": [
        (
            kt.SmoothSine(0.6, 1.2, begin=0.3),
            lambda t: (
                0.0
                if not 0.3 < t < 1.5
                else 0.8
                / math.sqrt(3.0)
                * (
                    math.sin(2 * math.pi * (t - 0.3) / 1.2)
                    - 0.5 * math.sin(4 * math.pi * (t - 0.3) / 1.2)
                )
            ),
        )
    ],
    "sine": [
        (
            kt.Sine(0.3, 1.5, phase=0.4, offset=1.0),
            lambda t: 1.0 + 0.3 * math.sin(2 * math.pi * 1.5 * t + 0.4),
        ),
        (
            kt.Sine(0.3, 1.5, begin=0.5, end=1.4),
            lambda t: 0.3 * math.sin(2 * math.pi * 1.5 * (min(max(t, 0.5), 1.4) - 0.5)),
        ),
    ],
    "table": [
        (kt.Table(TIMES, VALUES), lambda t: float(SPLINE(min(max(t, 0.0), 2.0)))),
        (kt.Table(TIMES, VALUES, smooth=False), lambda t: float(np.interp(t, TIMES, VALUES))),
        (kt.Table((0.0, 2.0), (1.0, 4.0)), lambda t: 1.0 + 1.5 * min(max(t, 0.0), 2.0)),
    ],
    "function": [
        (kt.Function(swing), swing),
        (kt.Function(swing, swing_rate), swing),
        (kt.Function(swing, swing_rate, swing_second), swing),
        (swing, swing),
    ],
}
CASES = [
    pytest.param(f, formula, id=f"{kind}-{k}")
    for kind, samples in SAMPLES.items()
    for k, (f, formula) in enumerate(samples)
]
INSTANTS = (-0.3, 0.13, 0.61, 0.97, 1.33, 1.81, 2.4)  # away from the corners of the samples


def read(signal, t: float) -> tuple[float, float, float]:
    model = kt.Model("driven")
    body = model.body("wheel", kt.sphere(1.0, 0.1))
    model.joint("A", kt.Revolute(), model.ground, body)
    model.constraint("drive", kt.Driver("A.angle", signal))
    state = machine(model, t=t)
    return -state.g[0], state.nu[0], state.gamma[0]


def test_every_time_function_of_the_catalogue_is_sampled_here():
    assert {signal.kind for signal, _ in SIGNALS} == set(SAMPLES)


@pytest.mark.parametrize("signal, formula", CASES)
def test_the_value_is_that_of_the_formula(signal, formula):
    for t in INSTANTS:
        assert read(signal, t)[0] == pytest.approx(formula(t), abs=1e-14)


@pytest.mark.parametrize("signal, formula", CASES)
def test_the_rate_is_the_derivative_of_the_value(signal, formula):
    h = 1e-4
    for t in INSTANTS:
        slope = (read(signal, t + h)[0] - read(signal, t - h)[0]) / (2 * h)
        assert read(signal, t)[1] == pytest.approx(
            slope, abs=2e-6
        )  # third derivative (600) h^2 / 6


@pytest.mark.parametrize("signal, formula", CASES)
def test_the_second_derivative_is_the_derivative_of_the_rate(signal, formula):
    h = 1e-4
    for t in INSTANTS:
        slope = (read(signal, t + h)[1] - read(signal, t - h)[1]) / (2 * h)
        assert read(signal, t)[2] == pytest.approx(
            slope, abs=3e-5
        )  # fourth derivative 8000, rounding 1e-9 / h


@pytest.mark.parametrize("known", [0, 1, 2])
def test_derivatives_the_user_does_not_give_are_found_to_eight_digits(known):
    signal = kt.Function(*(swing, swing_rate, swing_second)[: known + 1])
    for t in INSTANTS:
        _, rate, second = read(signal, t)
        assert rate == pytest.approx(swing_rate(t), abs=1e-6)
        assert second == pytest.approx(swing_second(t), abs=1e-5)


def test_a_table_passes_through_its_points_and_stays_constant_outside():
    for t, value in zip(TIMES, VALUES):
        assert read(kt.Table(TIMES, VALUES), t)[0] == pytest.approx(value, abs=1e-15)
    assert read(kt.Table(TIMES, VALUES), 9.0) == (pytest.approx(VALUES[-1]), 0.0, 0.0)
    assert read(kt.Table(TIMES, VALUES), -9.0) == (pytest.approx(VALUES[0]), 0.0, 0.0)


class Wave:
    """A callable object and a bound method."""

    def __call__(self, t):
        return 3.0 * t

    def rise(self, t):
        return 3.0 * t


@pytest.mark.filterwarnings("ignore::kinetree.kernel.usercode.registry.SlowCallback")
@pytest.mark.parametrize(
    "function",
    [math.sin, np.sin, functools.partial(pow, 2.0), Wave(), Wave().rise],
    ids=["builtin", "ufunc", "partial", "object", "method"],
)
def test_any_callable_serves_as_a_time_function(function):
    assert read(kt.Function(function), 0.5)[0] == pytest.approx(float(function(0.5)))
    assert read(function, 0.5)[0] == pytest.approx(float(function(0.5)))


def test_a_function_that_cannot_be_compiled_runs_as_plain_python_with_a_warning():
    table = {"amplitude": object()}

    def odd(t):
        return 2.0 * t if "amplitude" in table else 0.0

    with said_to_be_plain("odd.*plain Python"):
        value = read(kt.Function(odd), 0.5)[0]
    assert value == pytest.approx(1.0)
