"""How user functions become machine code: by the kernel language, by Numba where it is installed,
else as plain Python.
"""

import warnings
from importlib.util import find_spec

import numpy as np
import pytest

import kinetree as kt
from kinetree.kernel.compiler.values import KernelError
from kinetree.kernel.decorators import JIT
from kinetree.kernel.usercode import compiled as native
from kinetree.kernel.usercode import registry as code
from kinetree.kernel.usercode.registry import SlowCallback

from .machines import with_law

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
NUMBA = find_spec("numba") is not None


def in_the_language(t, x, xdot):
    total = 0.0
    for k in range(3):
        total -= (k + 1) * x
    return total


def sum_of_an_array(t, x, xdot):
    return -np.sum(np.array([x, 2.0 * x, 3.0 * x]))


def set_late(t, x, xdot):
    if t > 0.05:
        push = -6.0 * x
    return push


def counted_late(t, x, xdot):
    for k in range(int(100.0 * t) - 10):
        push = -float(k)
    return push * x


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    """Nothing is known of earlier tests."""
    for name in ("_machine", "_known", "_refused"):
        monkeypatch.setattr(code, name, type(getattr(code, name))())


def native_code(function):
    address = code.address_of(function, "law")
    return code.code_at(address).native


def test_a_function_in_the_language_does_not_need_numba(monkeypatch):
    monkeypatch.setattr(native, "find_spec", lambda name: None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert native_code(in_the_language)


@pytest.mark.skipif(not NUMBA, reason="Numba is not installed")
def test_a_function_outside_the_language_is_compiled_by_numba_and_moves_the_machine_alike():
    with pytest.raises(KernelError):
        native.compile_here(sum_of_an_array, "law")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert native_code(sum_of_an_array)
        ends = [
            kt.simulate(with_law(f), 0.2)["A.displacement"][-1]
            for f in (sum_of_an_array, in_the_language)
        ]
    assert ends[0] == pytest.approx(
        ends[1], rel=1e-6
    )  # the tolerance of the run: sums are rounded differently


def test_without_numba_it_is_plain_python_with_a_warning_and_its_reason(monkeypatch):
    monkeypatch.setattr(native, "find_spec", lambda name: None)
    with pytest.warns(
        SlowCallback, match=r"'sum_of_an_array' .* plain Python.*line \d+ of test_native.py"
    ):
        assert not native_code(sum_of_an_array)


@pytest.mark.parametrize("function", [set_late, counted_late])
def test_a_variable_that_has_not_been_set_is_an_error_as_in_python(function):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert native_code(function)
    with pytest.raises(kt.SimulationError, match="cannot access local variable 'push'"):
        kt.simulate(with_law(function), 0.2)
