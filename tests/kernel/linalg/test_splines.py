"""Splines are those of SciPy, and points of Gauss those of NumPy."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from kinetree.description.arm_shapes import _gauss
from kinetree.kernel.linalg.splines import cubic_spline, periodic_spline

X = np.array([0.0, 0.3, 0.35, 1.0, 1.2, 2.0, 5.0, 5.1])


@pytest.mark.parametrize("ends", ["not-a-knot", "natural", "clamped"])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("columns", [(), (3,)])
def test_splines_are_those_of_scipy(ends, count, columns):
    x, y = X[:count], np.random.default_rng(count).normal(size=(count, *columns))
    theirs = CubicSpline(x, y, bc_type=ends).c
    found = cubic_spline(x, y, ends)
    pad = 4 - len(theirs)  # SciPy has no cubic through two or three points
    np.testing.assert_allclose(found[pad:], theirs, rtol=0, atol=1e-12 * np.abs(theirs).max())
    assert not np.abs(found[:pad]).max(initial=0.0) > 1e-12 * np.abs(theirs).max()


@pytest.mark.parametrize("count", [4, 5, 8])
def test_periodic_splines_are_those_of_scipy(count):
    x, y = X[:count], np.random.default_rng(count).normal(size=(count, 2))
    y[-1] = y[0]
    theirs = CubicSpline(x, y, bc_type="periodic").c
    np.testing.assert_allclose(
        periodic_spline(x, y), theirs, rtol=0, atol=1e-12 * np.abs(theirs).max()
    )


def test_a_cubic_is_its_own_spline():
    y = 1.0 - 2.0 * X + 0.5 * X**2 + 3.0 * X**3
    a, b, c, d = cubic_spline(X, y)
    h = np.diff(X)
    np.testing.assert_allclose(a, 3.0, rtol=1e-9)  # of third differences over steps of 0.05
    np.testing.assert_allclose(
        ((a * h + b) * h + c) * h + d, y[1:], rtol=0, atol=1e-12 * np.abs(y).max()
    )


def test_the_rule_of_gauss_is_exact_for_polynomials():
    x, w = _gauss(48)
    for power in (0, 1, 2, 7, 40, 95):
        assert math.fsum(w * x**power) == pytest.approx(
            (1 - (-1) ** (power + 1)) / (power + 1), abs=1e-14
        )
    np.testing.assert_allclose(x, np.polynomial.legendre.leggauss(48)[0], rtol=0, atol=1e-15)
