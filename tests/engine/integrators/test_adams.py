"""Variable-step Adams method: its formulas, its cost, and its choice of order and step."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from kinetree.engine.integrators.integrate import integrate
from kinetree.engine.integrators.memory import Y
from kinetree.engine.integrators.methods import adams_formulas as formulas
from kinetree.engine.integrators.methods.adams_formulas import (
    ALPHA,
    BETA,
    PSI,
    PSI_NEXT,
    SIGMA,
    G,
    gammas,
    ordinates,
)

from .problems import (
    ARENSTORF_PERIOD,
    ARENSTORF_START,
    ORBIT_START,
    arenstorf,
    drift,
    kick,
    orbit,
    oscillator,
    plain,
)


def as_python(part):
    """A formula as plain Python, compiled or not."""
    return getattr(part, "py_func", part)


def after_steps(lengths, k):
    """Coefficients for the last of the given steps."""
    c = formulas.coefficients(12)
    c[PSI, 1 : len(lengths)] = np.cumsum(lengths[-2::-1])
    as_python(formulas.update_coefficients)(k, lengths[-1], c)
    return c


def test_generated_coefficients_are_the_published_ones():
    assert ordinates(4, 1) == [Fraction(n, 24) for n in (55, -59, 37, -9)]  # Adams-Bashforth 4
    assert ordinates(4, 0) == [Fraction(n, 24) for n in (9, 19, -5, 1)]  # Adams-Moulton 4
    assert gammas(7, 0)[6] == Fraction(-863, 60480)


@pytest.mark.parametrize("k", range(1, 13))
def test_on_equal_steps_the_variable_coefficients_are_the_constant_ones(k):
    c = after_steps([0.1] * 14, k)
    # differences of 1 / q
    assert_allclose(c[G, 1 : k + 2], [float(g) for g in gammas(k + 1, 1)], rtol=1e-12)
    assert_allclose(c[SIGMA, 1 : k + 2], 1.0, rtol=1e-14)
    assert_allclose(c[BETA, 1 : k + 1], 1.0, rtol=1e-14)
    assert_allclose(c[ALPHA, 1 : k + 1], 1.0 / np.arange(1, k + 1), rtol=1e-14)


@pytest.mark.parametrize("k", [1, 2, 5, 12])
def test_on_unequal_steps_g_are_integrals_of_the_newton_basis(k):
    """g_i = integral of c_i over the step, c_1 = 1, c_2 = s, c_i = c_{i-1} (s h + psi_{i-2,old}) /
    psi_{i-1}.
    """
    lengths = np.random.default_rng(3).uniform(0.5, 2.0, 14)
    c = after_steps(list(lengths), k)
    basis, h = Polynomial([1.0]), lengths[-1]
    for i in range(1, k + 2):
        # c[G] sums k terms of changing sign
        assert_allclose(c[G, i], basis.integ()(1.0), rtol=1e-9)
        before = c[PSI, i - 1] if i > 1 else 0.0
        basis *= Polynomial([before, h]) / (c[PSI_NEXT, i] if i <= k else 1.0)


@pytest.mark.parametrize("k", [1, 2, 3, 7, 12])
def test_on_equal_steps_one_step_is_the_textbook_formula_in_backward_differences(k):
    """f is prescribed (sin t), so p, the errors, y and the new differences have closed forms."""
    h, n, f = 0.1, 20, np.sin(0.1 * np.arange(22))
    c, vectors = after_steps([h] * 14, k), np.zeros((formulas.ROWS, 1))
    vectors[Y], vectors[formulas.WEIGHT] = 3.0, 2.0
    before, after = ([np.diff(f[: m + 1], j)[-1] for j in range(k + 2)] for m in (n, n + 1))
    vectors[formulas.PHI + 1 : formulas.PHI + k + 2, 0] = before[: k + 1]
    as_python(formulas.predict)(k, h, c, vectors)
    bashforth, moulton = (
        [float(b) for b in ordinates(k + shift, total)] for shift, total in ((0, 1), (1, 0))
    )
    assert_allclose(
        vectors[formulas.P, 0], 3.0 + h * np.dot(bashforth, f[n : n - k : -1]), rtol=1e-14
    )

    vectors[formulas.SLOPE] = f[n + 1]
    error, e_k, e_k1, e_k2 = as_python(formulas.estimate)(k, h, c, vectors, False)
    constants = [abs(float(g)) for g in gammas(k + 1, 0)]
    # differences near rounding
    assert_allclose(e_k, 2.0 * h * constants[k] * abs(after[k]), rtol=1e-6)
    assert k < 2 or abs(e_k1 / (2.0 * h * constants[k - 1] * abs(after[k - 1])) - 1.0) < 1e-6
    assert k < 3 or abs(e_k2 / (2.0 * h * constants[k - 2] * abs(after[k - 2])) - 1.0) < 1e-6
    assert_allclose(error, e_k, rtol=1e-6)  # g_k - g_{k+1} = -gamma*_k on equal steps

    as_python(formulas.correct)(k, h, c, vectors)
    assert_allclose(
        vectors[formulas.NEXT, 0], 3.0 + h * np.dot(moulton, f[n + 1 : n - k : -1]), rtol=1e-14
    )
    vectors[formulas.SLOPE] = f[n + 1]
    as_python(formulas.accept)(k, c, vectors)
    assert_allclose(vectors[formulas.PHI + 1 : formulas.PHI + k + 3, 0], after, atol=1e-12)


def test_rounding_errors_do_not_add_up():
    result = integrate(drift, [1.0], 1.0, max_step=1e-4)
    assert result.accepted > 10000
    assert abs(result.y[0] - 1.1) <= 2 * np.spacing(1.1)  # plain sums are off by some hundred


@pytest.mark.parametrize("rtol", [1e-5, 1e-8, 1e-11])
def test_an_accepted_step_costs_two_evaluations(rtol):
    result = integrate(oscillator, [1.0, 0.0], 50.0, rtol=rtol)
    # some steps are rejected as if f had a kink
    assert result.evaluations <= 2.2 * result.accepted + 4


@pytest.mark.parametrize(
    "rhs, start, until",
    [
        pytest.param(orbit, ORBIT_START, 6.0 * math.pi, id="orbit"),
        pytest.param(arenstorf, ARENSTORF_START, ARENSTORF_PERIOD, id="arenstorf"),
    ],
)
def test_work_and_error_compare_well_with_established_codes(rhs, start, until):
    """Both orbits are closed: the end is the start."""

    def error(y):
        return np.abs(y - start).max()

    ours = integrate(rhs, start, until, rtol=1e-8, atol=1e-8)
    theirs = {
        name: solve_ivp(plain(rhs), (0.0, until), start, method=name, rtol=1e-8, atol=1e-8)
        for name in ("LSODA", "DOP853")
    }
    assert ours.done
    # 518 of 623 and 806 on the orbit
    assert ours.evaluations < min(result.nfev for result in theirs.values())
    assert error(ours.y) < 2.0 * error(theirs["LSODA"].y[:, -1])


def test_the_order_rises_from_one_and_stays_below_its_limit():
    free, held = (
        integrate(oscillator, [1.0, 0.0], 20.0, rtol=1e-9, order=order) for order in (None, 4)
    )
    assert free.log["order"][0] == held.log["order"][0] == 1
    assert free.log["order"].max() >= 8
    assert held.log["order"].max() == 4
    assert held.evaluations > 2 * free.evaluations


def test_in_the_starting_phase_order_and_step_rise_together():
    log = integrate(oscillator, [1.0, 0.0], 20.0, rtol=1e-9).log
    assert (log["order"][:5] == [1, 2, 3, 4, 5]).all()
    assert_allclose(np.diff(np.log2(log["h"][:5])), 1.0, rtol=1e-12)


def test_step_lengths_change_rarely():
    h = integrate(oscillator, [1.0, 0.0], 200.0, rtol=1e-8).log["h"]
    assert (np.diff(h) != 0.0).mean() < 0.2  # a smooth, uniform problem


def test_a_jump_in_the_right_hand_side_is_located_and_passed():
    result = integrate(kick, [1.0], 3.0, rtol=1e-8)
    assert_allclose(result.y, 4.0, atol=1e-6)
    assert result.evaluations < 400
    assert result.log["order"][result.log["t"] > 1.0].min() == 1


def test_a_hundred_orbits_return_to_the_start():
    result = integrate(orbit, ORBIT_START, 200.0 * math.pi, rtol=1e-12)
    # phase error grows with the square of time: 1e4 x 1e-12 x 100
    assert_allclose(result.y, ORBIT_START, atol=1e-6)


def test_a_first_step_can_be_given():
    assert integrate(oscillator, [1.0, 0.0], 1.0, first_step=1e-5).log["h"][0] == 1e-5
