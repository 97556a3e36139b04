"""Measures of convergence against a linear iteration, whose contraction and error are known."""

import pytest

from kinetree.kernel.algebra import convergence

contraction, smoothed, remaining, is_divergent, step_fraction = (
    getattr(function, "py_func", function)
    for function in (
        convergence.contraction,
        convergence.smoothed_contraction,
        convergence.remaining_error,
        convergence.is_divergent,
        convergence.step_fraction,
    )
)


@pytest.mark.parametrize("theta", [0.05, 0.3, 0.8])
def test_the_error_of_a_linear_iteration_is_predicted_exactly(theta):
    """x <- theta x with the root 0: correction m is (1 - theta) theta^(m - 1)."""
    first, second = 1.0 - theta, (1.0 - theta) * theta
    rate = contraction(second, first)
    assert rate == pytest.approx(theta, rel=1e-15)
    assert remaining(rate, second) == pytest.approx(theta**2, rel=1e-15)


@pytest.mark.parametrize("theta", [0.2, 0.5, 0.85])
@pytest.mark.parametrize("left", [0, 1, 2])
@pytest.mark.parametrize("size", [0.5, 3.0, 40.0])
def test_an_iteration_is_divergent_if_its_last_error_exceeds_the_tolerance(theta, left, size):
    """The next corrections are theta, theta^2, ... times this one; all after `left` are missing."""
    missing = sum(size * theta**k for k in range(left, 400))
    assert is_divergent(theta, size, left) == (missing > 1.0)


def test_an_iteration_that_hardly_contracts_is_divergent_at_any_size():
    assert is_divergent(convergence.DIVERGENT, 1e-9, 3)


def test_one_small_correction_does_not_hide_a_slow_iteration():
    assert smoothed(0.8, 1e-9, 1.0) == convergence.FORGET * 0.8
    assert smoothed(0.8, 0.7, 1.0) == 0.7
    assert smoothed(0.8, 0.7, 0.0) == contraction(0.7, 0.0) == 0.0


def test_a_correction_is_shortened_to_its_limit_and_never_lengthened():
    assert step_fraction(4.0, 1.0) == 0.25
    assert step_fraction(0.5, 1.0) == 1.0
