"""Kernels with dual numbers: rules of functions and operators, and refusals."""

import math

import numpy as np
import pytest

from kinetree.kernel.compiler.tangents import RULES
from kinetree.kernel.compiler.values import KernelError
from kinetree.kernel.decorators import inline
from kinetree.kernel.language import Function
from kinetree.kernel.runtime.entry import entry
from kinetree.kernel.runtime.tangents import parts, tangents
from kinetree.kernel.types import DUAL, WIDTH, Array, dual, int64

H = 1e-6  # central differences: error h^2, rounding 1e-16 / h
CLOSE = 1e-8

ONE = [f for f, rule in RULES.items() if len(rule) == 1]
TWO = [math.atan2, math.hypot, math.pow, math.copysign]


def evaluated(f, *values, seed=0):
    """Value and derivatives of f(x, ..), for random derivatives of its arguments."""
    function = Function(f, listed=False)
    kind = Array(dual, 1)
    call = entry("f", *tangents().find(function, (kind, kind)))
    x, out = np.zeros(len(values), DUAL), np.zeros(1, DUAL)
    slopes = np.random.default_rng(seed).normal(size=(len(values), WIDTH))
    parts(x)[:, 0], parts(x)[:, 1:] = values, slopes
    call(x, out)
    return parts(out)[0, 0], parts(out)[0, 1:], slopes


def check(f, g, *values):
    """The kernel f(x, out) against differences of the function g(*values) in plain Python."""
    value, found, slopes = evaluated(f, *values)
    x = np.array(values)
    rates = [(g(*(x + H * e)) - g(*(x - H * e))) / (2 * H) for e in np.eye(len(values))]
    np.testing.assert_allclose(value, g(*values), rtol=1e-15)
    np.testing.assert_allclose(found, np.array(rates) @ slopes, rtol=CLOSE, atol=CLOSE)


@pytest.mark.parametrize("f", ONE, ids=lambda f: f.__name__)
def test_every_function_of_one_number_has_the_derivative_of_its_values(f):
    def one(x, out):
        out[0] = f(x[0])

    check(one, f, 1.3 if f is math.acosh else 0.43)
    if f in (math.sin, math.cos, math.tan, math.exp, math.atan, math.tanh, abs, math.fabs):
        check(one, f, -0.8)


@pytest.mark.parametrize("f", TWO, ids=lambda f: f.__name__)
def test_every_function_of_two_numbers_has_the_derivatives_of_its_values(f):
    def two(x, out):
        out[0] = f(x[0], x[1])

    check(two, f, 0.7, -1.3)
    check(two, f, 1.9, 0.6)


@inline
def mixed(a, b):
    return (
        a / b
        - 3.0 * a**3
        + b ** (-2)
        + 2.0**a
        + a**b
        - (a - b) * (b + 1.0) / (2.0 - a)
        + (-a) % 0.3
    )


def test_operators_have_the_derivatives_of_their_values():
    def operators(x, out):
        out[0] = mixed(x[0], x[1])

    check(operators, lambda a, b: mixed.py_func(a, b), 0.7, 1.4)


def test_min_max_branches_and_loops_follow_the_values():
    def chosen(x, out):
        total = 0.0
        for k in range(3):
            total += max(x[0], x[1]) * min(x[0], k) if x[0] > 0.5 else x[1]
        s = (x[0], 2.0, x[1])
        for item in s:
            total += item * s[int(x[0] * 3.0)]
        out[0] = total

    def plain(a, b):
        total, s = 0.0, (a, 2.0, b)
        for k in range(3):
            total += max(a, b) * min(a, k) if a > 0.5 else b
        return total + sum(item * s[int(a * 3.0)] for item in s)

    check(chosen, plain, 0.9, 1.4)
    check(chosen, plain, 0.2, 1.4)


def test_the_tip_of_a_root_has_the_derivative_zero():
    def length(x, out):
        out[0] = math.sqrt(x[0] * x[0] + x[1] * x[1])

    value, found, _ = evaluated(length, 0.0, 0.0)
    assert value == 0.0 and (found == 0.0).all()


def test_a_function_without_a_rule_is_refused_when_it_is_compiled():
    def remainder(x, out):
        out[0] = math.fmod(2.0, x[0])

    with pytest.raises(KernelError, match="fmod has no derivative"):
        evaluated(remainder, 0.7)


def test_derivatives_are_not_lost_in_an_array_of_plain_numbers():
    def lost(x, plain, out):
        plain[0] = x[0]

    from kinetree.kernel.types import float64

    kinds = (Array(dual, 1), Array(float64, 1), Array(dual, 1))
    with pytest.raises(KernelError, match="a number with derivatives where one without"):
        tangents().find(Function(lost, listed=False), kinds)


def test_integers_have_no_derivatives():
    def whole(x, out):
        out[0] = int(x[0] * 10.0) + math.floor(x[1])

    value, found, _ = evaluated(whole, 0.77, 1.5)
    assert value == 8.0 and (found == 0.0).all()
    assert int64 is not dual
