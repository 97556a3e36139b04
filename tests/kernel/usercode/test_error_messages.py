"""Errors about a user's function name the cause, the line, and the correction."""

import math
import warnings

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.build import build
from kinetree.kernel.decorators import JIT
from kinetree.kernel.usercode.registry import SlowCallback

from .machines import METHODS, with_controllers, with_force, with_law


def returns_its_value(t, a, b, parameters, force, torque):
    return np.array([0.0, 0.0, 100.0])


def returns_a_number(t, u, x, parameters, xdot, out):
    return 1.0


def binds_the_name_anew(t, a, b, parameters, force, torque):
    force = np.array([0.0, 0.0, 100.0])  # noqa: F841


def adds_in_place(t, a, b, parameters, force, torque):
    force += np.array([3.0, 0.0, 0.0])


def forgets_to_return(t, x, xdot):
    -3.0 * x


def takes_too_few(t, x):
    return x


@pytest.mark.parametrize(
    "build, function, said",
    [
        (
            with_force,
            returns_its_value,
            r"'user'.*returns a value.*must fill force and torque. Write force\[:\] = ",
        ),
        (with_controllers, returns_a_number, r"'first'.*returns a value.*must fill xdot and out"),
        (
            with_force,
            binds_the_name_anew,
            r"'user'.*name 'force' to something else.*write force\[:\] = ",
        ),
        (with_law, forgets_to_return, r"'law'.*returns nothing; end it with 'return"),
        (with_law, takes_too_few, r"'law'.*must take \(t, x, xdot\)"),
    ],
)
def test_a_function_with_an_obvious_mistake_is_refused(build, function, said):
    with pytest.raises((kt.ModelError, kt.SimulationError), match=said):
        kt.simulate(build(function), 0.1)


def test_an_equation_that_returns_its_rate_is_refused():
    with pytest.raises(
        (kt.ModelError, kt.SimulationError), match=r"returns a value.*must fill ydot"
    ):
        kt.solve_ode(lambda t, y, ydot: -y, (1.0,), 1.0)


def test_adding_in_place_fills_the_array():
    assert kt.simulate(with_force(adds_in_place), 1.0)["A.displacement"][-1] == pytest.approx(
        0.75, rel=1e-7
    )  # F t^2 / 2 m


class Box:
    def open(self, x):
        return x


box = Box()


def uses_an_object(t, x, xdot):
    return box.open(x)


def mixes_kinds(t, x, xdot):
    y = "abc" + x
    return len(y)


def misspells(t, x, xdot):
    return maht.sin(x)  # noqa: F821


def imports(t, x, xdot):
    import os

    return float(len(os.environ))


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize(
    "law, said",
    [
        (uses_an_object, r"line \d+ of test_error_messages.py \(return box.open\(x\)\): .*'box'"),
        (
            mixes_kinds,
            r"line \d+ of test_error_messages.py \(y = \"abc\" \+ x\): a text is not a value of the kernel language",
        ),
        (misspells, r"line \d+ of test_error_messages.py .*'maht' is not defined"),
        (imports, r"line \d+ of test_error_messages.py .*an import is not in the kernel language"),
    ],
)
def test_the_warning_about_code_that_is_not_compiled_has_the_reason_and_the_line(law, said):
    with pytest.warns(SlowCallback, match=said) as told:
        build(with_law(law))
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        build(with_law(law))  # said once


def chart(t, x, xdot):
    if t > 0.1:
        raise ValueError("beyond the chart")
    return 0.0


@pytest.mark.parametrize("method, options", METHODS)
def test_the_exception_of_compiled_code_is_reported_with_element_and_line(method, options):
    said = r"'law' raised ValueError: beyond the chart \(line \d+ of test_error_messages.py\)"
    with pytest.raises(kt.SimulationError, match=said) as caught:
        kt.simulate(with_law(chart), 0.2, integrator=method, **options)
    assert caught.value.element == "law" and caught.value.t == pytest.approx(
        0.1, abs=0.011
    )  # fixed steps of 0.01 s


def test_the_exception_of_an_equation_is_reported():
    def f(t, y, ydot):
        if t > 0.5:
            raise LookupError("no table entry")
        ydot[0] = math.cos(t)

    with pytest.raises(
        kt.SimulationError, match=r"at t = 0.5 s .*f raised LookupError: no table entry"
    ):
        kt.solve_ode(f, (0.0,), 1.0)
