"""Functions and operators of the kernel language against those of Python, over their range and at
their edges.
"""

import math

import numpy as np
import pytest

from kinetree.kernel.decorators import JIT, kernel

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
ULP = 2.0**-52
REALS = [
    -745.0,
    -3.0,
    -1.0,
    -0.5,
    -1e-3,
    -1e-300,
    -0.0,
    0.0,
    1e-300,
    1e-3,
    0.3,
    0.5,
    1.0,
    1.5,
    2.5,
    3.0,
    1e3,
    1e15,
]
ONE = [
    math.sqrt,
    math.sin,
    math.cos,
    math.tan,
    math.exp,
    math.log,
    math.log2,
    math.log10,
    math.fabs,
    math.asin,
    math.acos,
    math.atan,
    math.sinh,
    math.cosh,
    math.tanh,
    math.asinh,
    math.acosh,
    math.atanh,
    math.expm1,
    math.log1p,
]
WHOLES = [-7, -4, -3, -2, -1, 0, 1, 2, 3, 4, 7]


def applied(f):
    """A kernel that applies a function to every element."""

    def each(x, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k])

    return kernel(each)


def in_domain(f, x):
    try:
        return f(x)
    except (ValueError, OverflowError):
        return None


@pytest.mark.parametrize("f", ONE, ids=lambda f: f.__name__)
def test_functions_of_one_number(f):
    pairs = [(x, y) for x in REALS if (y := in_domain(f, x)) is not None]
    x, expected = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    out = np.zeros(len(x))
    applied(f)(x, out)
    np.testing.assert_allclose(
        out, expected, rtol=4 * ULP, atol=0.0
    )  # 2 ulp of the C library, 1 of ours
    assert (np.signbit(out) == np.signbit(expected)).all()


@pytest.mark.parametrize(
    "f", [math.atan2, math.copysign, math.hypot, math.fmod], ids=lambda f: f.__name__
)
def test_functions_of_two_numbers(f):
    def each(x, y, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k], y[k])

    pairs = [
        (x, y, z)
        for x in REALS
        for y in REALS
        if (z := in_domain(lambda x, y=y: f(x, y), x)) is not None
    ]
    x, y, expected = map(np.array, zip(*pairs))
    out = np.zeros(len(x))
    kernel(each)(x, y, out)
    np.testing.assert_allclose(out, expected, rtol=4 * ULP, atol=0.0)


@pytest.mark.parametrize(
    "f", [math.floor, math.ceil, math.trunc, round, int], ids=lambda f: f.__name__
)
def test_rounding_gives_integers(f):
    x = np.array([-2.5, -1.5, -1.2, -0.5, 0.0, 0.5, 0.7, 1.5, 2.5, 2.0**52 + 1.0])

    def each(x, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k])

    out = np.zeros(len(x), np.int64)
    kernel(each)(x, out)
    assert out.tolist() == [f(v) for v in x.tolist()]


def test_integers_out_of_range_are_the_largest_ones():
    def whole(x, out):
        for k in range(x.shape[0]):
            out[k] = int(x[k])

    out = np.zeros(3, np.int64)
    kernel(whole)(np.array([1e300, -1e300, math.nan]), out)
    assert out.tolist() == [2**63 - 1, -(2**63), 0]


def test_what_is_finite_infinite_or_no_number():
    def tests(x, out):
        for k in range(x.shape[0]):
            out[k] = (
                math.isfinite(x[k])
                + 2 * math.isinf(x[k])
                + 4 * math.isnan(x[k])
                + 8 * bool(x[k])
                + 16 * (not x[k])
            )

    x, out = np.array([0.0, -1.0, math.inf, -math.inf, math.nan]), np.zeros(5, np.int64)
    kernel(tests)(x, out)
    assert out.tolist() == [17, 9, 10, 10, 12]


def test_division_of_integers_rounds_down_and_of_zero_is_zero():
    def divide(a, b, out):
        out[0], out[1] = a // b, a % b

    f, out = kernel(divide), np.zeros(2, np.int64)
    for a in WHOLES:
        for b in WHOLES:
            f(a, b, out)
            assert out.tolist() == ([a // b, a % b] if b else [0, 0])
    f(-(2**63), -1, out)
    assert out.tolist() == [-(2**63), 0]  # it wraps around


def test_division_of_floats_rounds_down():
    def divide(a, b, out):
        out[0], out[1] = a // b, a % b

    f, out = kernel(divide), np.zeros(2)
    for a in REALS:
        for b in REALS:
            if b:
                f(a, b, out)
                assert (out == [a // b, a % b]).all() and (
                    np.signbit(out) == np.signbit([a // b, a % b])
                ).all(), (a, b)


def test_powers():
    def powers(x, n, out):
        out[0], out[1], out[2], out[3], out[4], out[5] = x**3, x**-2, x**0, x**n, x**0.5, 2.0**n

    f, out = kernel(powers), np.zeros(6)
    for x in (0.3, 1.7, 12.0):
        for n in WHOLES:
            f(x, n, out)
            np.testing.assert_allclose(
                out, [x**3, x**-2, 1.0, x**n, x**0.5, 2.0**n], rtol=8 * ULP
            )  # by products


def test_products_are_fused_with_sums_by_the_rule():
    """(1 + e)^2 = 1 + 2 e + e^2: the last term is lost in a rounded product."""

    def fuse(x, out):
        square = x * x
        out[0], out[1], out[2] = x * x - 1.0, square - 1.0, 1.0 - x * x
        out[3] = 1.0
        out[3] -= x * x
        out[4], out[5] = x**2 - 1.0, x * x - x * x  # the left one is fused, the right one rounded

    e, out = 2.0**-30, np.zeros(6)
    kernel(fuse)(1.0 + e, out)
    exact, rounded = 2 * e + e * e, 2 * e
    from kinetree.kernel.runtime.lookup import engine

    assert out.tolist() == (
        [exact, rounded, -exact, -exact, exact, e * e]
        if engine().target.fused
        else [rounded, rounded, -rounded, -rounded, rounded, 0.0]
    )


def test_the_smaller_and_the_larger_are_those_of_python():
    def extremes(a, b, out):
        out[0], out[1], out[2] = min(a, b), max(a, b), max(a, 1, b)

    f, out = kernel(extremes), np.zeros(3)
    for a, b in (
        (1.0, 2.0),
        (2.0, 1.0),
        (0.0, -0.0),
        (-0.0, 0.0),
        (math.nan, 1.0),
        (1.0, math.nan),
    ):
        f(a, b, out)
        expected = np.array([min(a, b), max(a, b), max(a, 1, b)], float)
        assert out.tobytes() == expected.tobytes()


def test_records_are_read_and_set():
    row = np.dtype(
        [
            ("n", "i8"),
            ("small", "i4"),
            ("on", "?"),
            ("x", "f8"),
            ("v", "f8", 3),
            ("R", "f8", (2, 2)),
        ],
        align=True,
    )

    def change(rows):
        for k in range(rows.shape[0]):
            record = rows[k]
            record.n += record.small
            record.small = 7 - k
            record.on = record.x > 0.0
            record.v[1] = record.R[1, 0] + record.x
            record.R[0] = 2.0
        return rows[0].n

    rows = np.zeros(2, row)
    rows["n"], rows["small"], rows["x"], rows["R"] = (
        [10, 20],
        [-3, 4],
        [1.5, -1.5],
        np.arange(8.0).reshape(2, 2, 2),
    )
    assert kernel(change)(rows) == 7
    assert (
        rows["n"].tolist() == [7, 24]
        and rows["small"].tolist() == [7, 6]
        and rows["on"].tolist() == [True, False]
    )
    assert rows["v"][:, 1].tolist() == [3.5, 4.5] and rows["R"][:, 0].tolist() == [
        [2.0, 2.0],
        [2.0, 2.0],
    ]


def test_items_of_nested_tuples_may_be_taken_by_a_variable():
    def pick(k, out):
        pairs = ((1.0, 2), (3, 4.5), (5.0, 6))
        a, b = pairs[k]
        out[0], out[1] = a, b

    f, out = kernel(pick), np.zeros(2)
    found = []
    for k in (0, 1, 2, -1):
        f(k, out)
        found.append(out.tolist())
    assert found == [[1.0, 2.0], [3.0, 4.5], [5.0, 6.0], [5.0, 6.0]]


def test_views_share_their_memory_for_all_steps():
    def views(A, out):
        column, corner, turned = A[:, 1], A[1:, ::2], A.T
        column[0] = -1.0
        corner[1, 1] = -2.0
        out[0], out[1], out[2] = (
            column.shape[0],
            corner.shape[0] * 10 + corner.shape[1],
            turned[1, 0],
        )
        A[:, 3] = 9.0
        out[3] = corner.size + turned.shape[0]

    A, out = np.arange(12.0).reshape(3, 4), np.zeros(4)
    kernel(views)(A, out)
    B = np.arange(12.0).reshape(3, 4)
    B[0, 1], B[2, 2], B[:, 3] = -1.0, -2.0, 9.0
    assert A.tolist() == B.tolist() and out.tolist() == [3.0, 22.0, -1.0, 8.0]


def test_results_of_several_numbers_come_back_as_a_tuple():
    def several(a, k):
        return a, k, a > k, (2.0 * a, -k)

    assert kernel(several)(1.5, 2) == (1.5, 2, False, (3.0, -2))
