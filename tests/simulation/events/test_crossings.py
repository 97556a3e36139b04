"""Crossings of known functions: as many as their roots, each once, wherever the steps end."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kinetree.engine.integrators.nodes import POINTS
from kinetree.simulation.events.crossings import Line, crossings
from kinetree.simulation.events.track import PER_STEP, Track


def track(function, ends):
    """A track of one component that follows a function."""
    ends = np.asarray(ends, float)
    times = ends[:-1, None] + np.diff(ends)[:, None] * POINTS
    return Track(ends, function(times)[:, :, None])


def found(function, ends, sign, touch=1e-9, from_zero=False):
    way = track(function, ends)
    t = np.sort(np.concatenate([way.t, way.extrema(way.y)]))
    line = Line(
        t,
        np.array([way.at(one)[0] for one in t]),
        lambda t: np.array([way.at(one)[0] for one in t]),
        touch,
        1e-15,
    )
    return crossings(line, sign, 0, from_zero)


@pytest.mark.parametrize("seed", range(20))
def test_the_roots_of_a_polynomial_are_found_once_each(seed):
    """Of degree 5, which the curve through the nodes follows to rounding; roots 0.02 apart and
    more, often in one interval.
    """
    rng = np.random.default_rng(seed)
    roots = np.sort(rng.choice(np.arange(0.03, 0.97, 0.02), 5, replace=False)) + rng.uniform(
        -2e-3, 2e-3, 5
    )
    polynomial = np.poly1d(roots, r=True) * 1e3
    for ends in ([0.0, 1.0], [0.0, 0.31, 0.77, 1.0], [0.0, *roots[1:3], 1.0]):
        answer, sign = found(polynomial, ends, int(np.sign(polynomial(0.0))))
        assert_allclose([one.t for one in answer], roots, rtol=0, atol=1e-9)
        assert [one.direction for one in answer] == [1, -1, 1, -1, 1]
        assert sign == 1


@pytest.mark.parametrize("ends", [[0.0, 1.0], [0.0, 0.4, 1.0], [0.0, 0.1, 0.400001, 0.9, 1.0]])
@pytest.mark.parametrize(
    "depth, expected", [(1e-6, 2), (1e-12, 1), (0.0, 1), (-1e-12, 1), (-1e-6, 0)]
)
def test_a_dip_to_zero_is_two_roots_one_touch_or_nothing(ends, depth, expected):
    answer, sign = found(lambda t: (t - 0.4) ** 2 - depth, ends, 1)
    assert len(answer) == expected and sign == 1
    if expected == 1:
        assert answer[0].direction == 0
        assert abs(answer[0].t - 0.4) < 1e-4  # within 1e-9 of zero it is 3e-5 wide
    if expected == 2:
        assert_allclose([one.t for one in answer], [0.4 - 1e-3, 0.4 + 1e-3], atol=1e-10)


@pytest.mark.parametrize("flight", [0.9, 0.3, 1e-2, 1e-4])
def test_a_value_that_starts_at_zero_and_comes_back_is_found_however_soon(flight):
    answer, sign = found(lambda t: t * (flight - t), [0.0, 1.0], 0)
    assert_allclose([one.t for one in answer], [flight], rtol=1e-9)
    assert answer[0].direction == sign == -1


@pytest.mark.parametrize("flight", [0.9, 0.3, 1e-2, 1e-3])
def test_a_value_that_is_known_to_rise_from_zero_comes_back_later_or_at_once(flight):
    answer, _ = found(lambda t: t * (flight - t), [0.0, 1.0], 1, from_zero=True)
    assert_allclose([one.t for one in answer], [flight], rtol=1e-9)
    answer, _ = found(lambda t: -t, [0.0, 1.0], 1, from_zero=True)  # never seen to rise
    assert [one.t for one in answer] == [0.0]


def test_the_sign_is_carried_over_a_start_at_zero():
    """It was positive before, is zero at the start and negative after: one crossing, at the start."""
    answer, sign = found(lambda t: -t, [0.0, 1.0], 1)
    assert [one.t for one in answer] == [0.0] and answer[0].direction == sign == -1


def test_the_curve_goes_through_its_nodes_and_between_them():
    way = track(np.sin, [0.0, 0.7, 1.5])
    assert len(way.t) == 2 * PER_STEP + 1
    assert_allclose([way.at(t)[0] for t in way.t], np.sin(way.t), rtol=0, atol=0)
    between = np.linspace(0.0, 1.5, 101)
    assert_allclose(
        [way.at(t)[0] for t in between], np.sin(between), rtol=0, atol=1e-11
    )  # degree 8 over 0.8 rad


def test_a_step_is_resolved_where_half_of_its_nodes_tell_the_others():
    way = track(np.sin, [0.0, 1.0, 2.0])
    values = np.column_stack([np.sin(way.t), np.where(way.t > 1.0, np.sin(60 * way.t), 1.0)])
    assert list(way.resolved(values)) == [True, False]
    assert list(way.resolved(values[:, :1])) == [True, True]
