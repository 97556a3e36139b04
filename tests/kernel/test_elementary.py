"""Elementary functions of kernels: errors against mpmath, exact cases, special values as C99 has
them.
"""

import math

import numpy as np
import pytest

from kinetree.kernel.decorators import JIT, kernel
from support.ulps import OF_ONE, OF_TWO, arguments, floats, pairs, too_far

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
SPECIAL = [
    0.0,
    -0.0,
    math.inf,
    -math.inf,
    math.nan,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1e308,
    -1e308,
    5e-324,
    -5e-324,
    1e-310,
    710.0,
    -746.0,
    2.0**53,
    2.0**53 - 1.0,
    -(2.0**53) + 1.0,
    1.0 - 2.0**-53,
]
COUNT = 400  # of arguments of each kind


def applied(f, *given):
    """The function, compiled, of all these numbers."""

    def of_one(x, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k])

    def of_two(x, y, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k], y[k])

    out = np.zeros(len(given[0]))
    kernel(of_one if len(given) == 1 else of_two)(*(np.asarray(g, float) for g in given), out)
    return out


@pytest.mark.parametrize("name", OF_ONE)
def test_errors_of_functions_of_one_number_are_within_the_stated_bounds(name):
    x = arguments(name, np.random.default_rng(7), COUNT)
    assert not too_far(name, applied(OF_ONE[name], x), x)


@pytest.mark.parametrize("name", OF_TWO)
def test_errors_of_functions_of_two_numbers_are_within_the_stated_bounds(name):
    given = pairs(name, np.random.default_rng(7), COUNT)
    assert not too_far(name, applied(OF_TWO[name], *given), *given)


def alike(found, expected):
    """Zeros and infinities with their signs, and NaN; of other numbers, whose errors are tested
    above, the sign.
    """
    special = np.isinf(expected) | (expected == 0.0)
    same = (np.signbit(found) == np.signbit(expected)) & np.where(
        special, found == expected, np.isfinite(found) & (found != 0.0)
    )
    return np.where(np.isnan(expected), np.isnan(found), same)


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_special_values_are_those_of_c(name):
    x = np.array(SPECIAL)
    reference = getattr(
        np,
        {
            "asin": "arcsin",
            "acos": "arccos",
            "atan": "arctan",
            "asinh": "arcsinh",
            "acosh": "arccosh",
            "atanh": "arctanh",
        }.get(name, name),
    )(x)
    good = alike(applied(OF_ONE[name], x), reference)
    assert good.all(), x[~good]


@pytest.mark.parametrize(
    "f, reference",
    [(math.atan2, np.arctan2), (math.pow, np.power), (math.hypot, np.hypot), (math.fmod, np.fmod)],
    ids=["atan2", "pow", "hypot", "fmod"],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_special_values_of_two_numbers_are_those_of_c(f, reference):
    x, y = (g.ravel() for g in np.meshgrid(SPECIAL, SPECIAL))
    good = alike(applied(f, x, y), reference(x, y))
    assert good.all(), list(zip(x[~good], y[~good]))


def test_logarithms_and_powers_are_exact_where_the_result_is_a_number():
    k = np.arange(-1074, 1024)
    assert (applied(math.log2, np.ldexp(1.0, k)) == k).all()
    assert (applied(math.pow, np.full(len(k), 2.0), k) == np.ldexp(1.0, k)).all()
    ten = 10.0 ** np.arange(23)
    assert (applied(math.log10, ten) == np.arange(23)).all()
    assert (applied(math.pow, np.full(23, 10.0), np.arange(23)) == ten).all()
    n = np.arange(1.0, 2000.0)
    assert (applied(math.pow, n * n, np.full(len(n), 0.5)) == n).all()
    assert (applied(math.pow, -n, np.full(len(n), 3.0)) == -(n**3)).all()
    assert (
        applied(math.hypot, 3.0 * np.ldexp(1.0, k[4:-3]), 4.0 * np.ldexp(1.0, k[4:-3]))
        == 5.0 * np.ldexp(1.0, k[4:-3])
    ).all()


def test_odd_functions_are_odd_and_even_ones_even():
    x = np.abs(arguments("sin", np.random.default_rng(1), COUNT))
    for f in (math.sin, math.tan, math.atan, math.sinh, math.tanh, math.asinh):
        assert applied(f, -x).tobytes() == (-applied(f, x)).tobytes()
    for f in (math.cos, math.cosh):
        assert applied(f, -x).tobytes() == applied(f, x).tobytes()


def test_remainders_are_exact():
    rng = np.random.default_rng(3)
    x, y = floats(rng, 4000), floats(rng, 4000)
    x, y = (
        np.concatenate([x, rng.uniform(-1e3, 1e3, 4000)]),
        np.concatenate([y, rng.uniform(-2.0, 2.0, 4000)]),
    )
    x, y = x[y != 0.0], y[y != 0.0]
    assert (
        applied(math.fmod, x, y).tobytes()
        == np.array([math.fmod(a, b) for a, b in zip(x, y)]).tobytes()
    )


@pytest.mark.parametrize("f", [math.floor, math.ceil, math.trunc, round], ids=lambda f: f.__name__)
def test_integers_next_to_a_number_are_those_of_python(f):
    def each(x, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k])

    rng = np.random.default_rng(4)
    halves = np.arange(-9.5, 10.0, 0.5)
    large = np.ldexp(rng.uniform(-1.0, 1.0, 4000), rng.integers(45, 64, 4000))
    big = 2.0**52 + np.arange(-9.5, 10.0, 0.5)
    x = np.concatenate(
        [
            halves,
            np.nextafter(halves, 99.0),
            np.nextafter(halves, -99.0),
            big,
            0.5 * big,
            -big,
            -0.5 * big,
            large,
            [-0.0, 5e-324, -5e-324],
        ]
    )
    out = np.zeros(len(x), np.int64)
    kernel(each)(x, out)
    assert out.tolist() == [f(v) for v in x.tolist()]


@pytest.mark.parametrize("f", [math.floor, math.ceil, round, math.trunc], ids=lambda f: f.__name__)
def test_integers_out_of_range_are_the_largest_ones(f):
    def each(x, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k])

    out = np.zeros(5, np.int64)
    kernel(each)(np.array([1e300, -1e300, math.inf, -math.inf, math.nan]), out)
    assert out.tolist() == [2**63 - 1, -(2**63), 2**63 - 1, -(2**63), 0]
