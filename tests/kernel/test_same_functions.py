"""There is one sine: in kernels, in generated equations, in user functions and in plain Python, and
none of the C library.
"""

import ast
import ctypes
import hashlib
import math
import os
import platform
import subprocess
import sys
from fractions import Fraction
from math import sin
from pathlib import Path

import numpy as np
import pytest

from kinetree.apps.building import constants
from kinetree.kernel.compiler.unit import Unit
from kinetree.kernel.decorators import JIT, inline, kernel
from kinetree.kernel.functions.double_double import two_product, two_sum
from kinetree.kernel.language import Function
from kinetree.kernel.runtime.targets import PLATFORMS
from kinetree.kernel.types import Vector
from support.elf import undefined
from support.ulps import OF_ONE, OF_TWO, arguments, pairs, too_far

compiled_only = pytest.mark.skipif(not JIT, reason="nothing is compiled")
NUMPY = {
    np.sin: math.sin,
    np.cos: math.cos,
    np.tan: math.tan,
    np.exp: math.exp,
    np.arctan: math.atan,
    np.tanh: math.tanh,
    np.expm1: math.expm1,
    np.log1p: math.log1p,
    np.arcsinh: math.asinh,
}
PROGRAM = """
import json, sys
sys.path[:0] = sys.argv[1:]
from kernel.test_same_functions import results
print(json.dumps(results()))
"""


def results():
    """Of all functions a hash of their values, computed as this process does it; and errors that
    are too large.
    """
    from kinetree.kernel.functions.catalogue import ONE, TWO

    rng, found = np.random.default_rng(5), {}
    for name, f in {**OF_ONE, **OF_TWO, "fmod": math.fmod}.items():
        given = (arguments(name, rng, 150),) if f in ONE else pairs(name, rng, 150)
        out = np.zeros(len(given[0]))
        if JIT:
            kernel(_loop(f, len(given)))(*given, out)
        else:
            out[:] = [(ONE.get(f) or TWO[f])(*x) for x in zip(*(g.tolist() for g in given))]
        found[name] = hashlib.sha256(out.tobytes()).hexdigest()
        if not JIT and name != "fmod" and (far := too_far(name, out, *given)):
            print(f"{name} in plain Python: {far}", file=sys.stderr)
    return found


def _loop(f, count):
    def of_one(x, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k])

    def of_two(x, y, out):
        for k in range(x.shape[0]):
            out[k] = f(x[k], y[k])

    return of_one if count == 1 else of_two


def elsewhere(**environment):
    here = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(here)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert not done.stderr
    return done.stdout


@compiled_only
@pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64"),
    reason="all other processors fuse products with sums",
)
def test_plain_python_and_code_for_processors_without_fma_give_the_same_bits_within_the_stated_errors():
    plain = elsewhere(KINETREE_PLAIN="1")
    assert plain == elsewhere(KINETREE_TARGET="x86-64", KINETREE_LIBRARY="0") and "sin" in plain


@compiled_only
def test_sums_and_products_in_two_parts_are_exact():
    @kernel
    def both(x, y, out):
        for k in range(x.shape[0]):
            out[0, k], out[1, k] = two_sum(x[k], y[k])
            out[2, k], out[3, k] = two_product(x[k], y[k])

    rng = np.random.default_rng(2)
    x, y = np.ldexp(rng.uniform(-1.0, 1.0, (2, 2000)), rng.integers(-200, 200, (2, 2000)))
    out = np.zeros((4, len(x)))
    both(x, y, out)
    for a, b, s, s_low, p, p_low in zip(*(map(Fraction, row) for row in (x, y, *out))):
        assert s + s_low == a + b and p + p_low == a * b


@compiled_only
@pytest.mark.parametrize("f", NUMPY, ids=lambda f: f.__name__)
def test_functions_of_numpy_are_those_of_math(f):
    x = arguments(NUMPY[f].__name__, np.random.default_rng(6), 100)
    out, expected = np.zeros(len(x)), np.zeros(len(x))
    kernel(_loop(f, 1))(x, out)
    kernel(_loop(NUMPY[f], 1))(x, expected)
    assert out.tobytes() == expected.tobytes()


@compiled_only
@pytest.mark.parametrize("name", [*OF_ONE])
def test_user_functions_and_generated_code_give_the_bits_of_kernels(name):
    f = OF_ONE[name]
    from kinetree.kernel.usercode.compiled import compile_here

    x = arguments(name, np.random.default_rng(8), 20)
    expected, generated = np.zeros(len(x)), np.zeros(len(x))
    kernel(_loop(f, 1))(x, expected)
    loaded, _ = compile_here(lambda t: f(t), "time")
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_double)(loaded.address)
    user = np.array([call(None, v) for v in x.tolist()])
    scope = {"f": f, "__name__": "generated"}
    text = "def g(x):\n    return f(x)\n"
    exec(compile(text, "<generated>", "exec"), scope)
    kernel(_loop(inline(scope["g"], text), 1))(x, generated)
    assert user.tobytes() == expected.tobytes() == generated.tobytes()


@compiled_only
def test_the_name_under_which_a_function_was_imported_does_not_matter():
    def each(x, out):
        for k in range(x.shape[0]):
            out[k] = sin(x[k]) - math.sin(x[k])

    x, out = np.linspace(-9.0, 9.0, 101), np.ones(101)
    kernel(each)(x, out)
    assert not out.any()


@compiled_only
@pytest.mark.parametrize("platform_name", ["linux-x86_64", "linux-aarch64"])
def test_objects_need_no_mathematics_of_the_c_library(platform_name):
    from kinetree.kernel.runtime.llvm import object_code, target_machine

    def all_of_them(x: Vector, out: Vector) -> None:
        a, b = x[0], x[1]
        out[0] = (
            math.sin(a)
            + math.cos(a)
            + math.tan(a)
            + math.asin(a)
            + math.acos(a)
            + math.atan(a)
            + math.exp(a)
        )
        out[1] = (
            math.expm1(a)
            + math.sinh(a)
            + math.cosh(a)
            + math.tanh(a)
            + math.log(a)
            + math.log2(a)
            + math.log10(a)
        )
        out[2] = (
            math.log1p(a)
            + math.asinh(a)
            + math.acosh(a)
            + math.atanh(a)
            + math.atan2(a, b)
            + math.hypot(a, b)
        )
        out[3] = (
            a**b
            + math.pow(b, a)
            + math.fmod(a, b)
            + a % b
            + a // b
            + math.sqrt(a)
            + math.fabs(b)
            + a * b
        )
        out[4] = (
            math.floor(a) + math.ceil(a) + math.trunc(a) + round(a) + int(b) + math.copysign(a, b)
        )

    unit, about = Unit(), PLATFORMS[platform_name]
    function = Function(all_of_them)
    compiled = unit.get(function, function.declared())
    for target in about.targets:
        code = object_code(
            unit.module([compiled], target.fused), target_machine(about.triple, target.cpu)
        )
        assert undefined(code) <= {"memset", "_GLOBAL_OFFSET_TABLE_"}, target


def test_undefined_symbols_are_seen():
    """What the test above relies on."""
    from kinetree.kernel.runtime.llvm import object_code, target_machine

    text = "declare double @sin(double)\ndefine double @f(double %x) {\n  %y = call double @sin(double %x)\n  ret double %y\n}\n"
    assert undefined(object_code(text, target_machine("x86_64-unknown-linux-gnu", "x86-64"))) == {
        "sin"
    }


def test_constants_are_those_that_are_derived():
    written = ast.parse(constants.PATH.read_text(encoding="utf-8"))
    assert ast.dump(written) == ast.dump(ast.parse(constants.text()))
