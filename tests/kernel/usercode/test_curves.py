"""Taylor arithmetic of user functions against mpmath, and plain Python against compiled code."""

import ctypes

import mpmath
import numpy as np
import pytest

from kinetree.kernel.language import JIT
from kinetree.kernel.usercode.registry import address_of, plain_code

ONE = (
    *("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "expm1", "log", "log1p", "log2"),
    *("log10", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
)
OWN = {"log2": lambda x: mpmath.log(x, 2), "expm1": lambda x: mpmath.exp(x) - 1}
OWN |= {"log1p": lambda x: mpmath.log(1 + x), "log10": lambda x: mpmath.log(x, 10)}
CURVE = (0.7, -0.4, 0.9), (0.3, 0.8, -0.5)  # two numbers along s
native = pytest.mark.skipif(not JIT, reason="plain Python has differences")


def call(address, jets, rows=1, parameters=(0.3,)):
    """Jets of the rows of a function f(t, s, parameters)."""
    code = ctypes.CFUNCTYPE(
        ctypes.c_int64, ctypes.c_int64, *[ctypes.c_double] * 3, *[ctypes.c_int64] * 7
    )
    state, p, out = np.array(jets, float), np.array(parameters), np.full((rows, 3), np.nan)
    n = len(state)
    status = code(address[0])(
        *(address[1], 0.2, 1.0, 1.0, state.ctypes.data, n, 0),
        *(p.ctypes.data, len(p), out.ctypes.data, rows),
    )
    assert status == 0
    return out


def expected(f, a):
    """Taylor coefficients of f along the curve a, with 50 digits."""
    with mpmath.workdps(50):
        return [float(c) for c in mpmath.taylor(lambda s: f(a[0] + s * (a[1] + s * a[2])), 0, 2)]


@native
@pytest.mark.parametrize("name", ONE)
def test_a_function_of_one_number_has_its_taylor_coefficients(name, tmp_path):
    shift = 1.0 if name == "acosh" else 0.0
    f = written(tmp_path, f"math.{name}(s[0] + {shift})")
    exact = OWN.get(name) or getattr(mpmath, name)
    a = (CURVE[0][0] + shift, *CURVE[0][1:])
    found = call(address_of(f, "coordinates"), CURVE)
    np.testing.assert_allclose(found[0], expected(exact, a), rtol=2e-15, atol=1e-15)


@native
@pytest.mark.parametrize(
    "text, exact",
    [
        ("s[0] * s[1] - s[0] / s[1] + 2 * s[0]", lambda a, b: a * b - a / b + 2 * a),
        ("s[0] ** 3 + s[1] ** -2 + s[0] ** 2.5", lambda a, b: a**3 + b**-2 + a**2.5),
        ("s[0] ** s[1]", lambda a, b: a**b),
        ("math.pow(s[1], s[0])", lambda a, b: b**a),
        ("math.atan2(s[0], -s[1])", lambda a, b: mpmath.atan2(a, -b)),
        ("math.hypot(s[0], s[1])", lambda a, b: mpmath.hypot(a, b)),
        ("abs(-s[0]) + max(s[0], s[1]) - min(s[1], 0.1)", lambda a, b: 2 * a - 0.1),
        ("math.copysign(s[0], -s[1])", lambda a, b: -a),
        ("s[0] % 0.3 + math.fmod(s[1], 0.2)", lambda a, b: a - 0.6 + b - 0.2),
        ("(s[0] if s[0] > s[1] else s[1]) * math.floor(s[0] + 2.0)", lambda a, b: 2 * a),
    ],
)
def test_an_expression_of_two_numbers_has_its_taylor_coefficients(text, exact, tmp_path):
    f = written(tmp_path, text)
    a, b = CURVE
    both = lambda s: exact(a[0] + s * (a[1] + s * a[2]), b[0] + s * (b[1] + s * b[2]))  # noqa: E731
    with mpmath.workdps(50):
        coefficients = [float(c) for c in mpmath.taylor(both, 0, 2)]
    found = call(address_of(f, "coordinates"), CURVE)
    np.testing.assert_allclose(found[0], coefficients, rtol=4e-15, atol=1e-15)


def written(folder, text):
    """A function whose source is in a file, as the compiler needs it."""
    path = folder / "law.py"
    path.write_text(f"import math\n\n\ndef f(t, s, p):\n    return {text}\n")
    scope = {"__name__": "law"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope["f"]


def root(x):
    """Square root by Newton's method, which needs no derivative of its own."""
    y = 1.0 + 0.0 * x
    for _ in range(12):
        y = 0.5 * (y + x / y)
    return y


def iterated(t, s, p):
    return root(s[0]) + t * p[0], s[1] ** 2


@native
def test_helpers_loops_and_several_rows_are_differentiated():
    found = call(address_of(iterated, "coordinates"), CURVE, rows=2)
    time = np.array([0.2 * 0.3, 0.3, 0.0])
    np.testing.assert_allclose(found[0] - time, expected(mpmath.sqrt, CURVE[0]), atol=1e-15)
    np.testing.assert_allclose(found[1], expected(lambda x: x * x, CURVE[1]), atol=1e-15)


def test_differences_of_plain_python_agree_with_the_exact_derivatives():
    exact, plain = address_of(iterated, "coordinates"), plain_code(iterated, "coordinates")
    # order 6 at the step 2e-2 / 50: rounding 1e-16 / 1.6e-7 of the second derivative
    np.testing.assert_allclose(
        call(plain.address, CURVE, rows=2), call(exact, CURVE, rows=2), atol=1e-8
    )
