"""User code sees the values it refers to as they are when a run begins: globals, closures,
defaults, helpers of helpers.
"""

import gc
import types
from collections import deque

import pytest

import kinetree as kt
from kinetree.assembly.build import build
from kinetree.kernel.decorators import JIT
from kinetree.kernel.usercode import registry as usercode
from support.compiler import njit

from .machines import MASS, with_law

FORCE = 0.0
settings = types.ModuleType("settings")
settings.FORCE = 0.0


@njit
def compiled_helper():
    return FORCE


def plain_helper():
    return compiled_helper()


def by_global(t, x, xdot):
    return FORCE


def by_helper(t, x, xdot):
    return plain_helper()


def by_module(t, x, xdot):
    return settings.FORCE


def by_closure(value):
    def law(t, x, xdot):
        return value

    return law


def by_whole_number(value):
    count = int(value)

    def law(t, x, xdot):
        total = 0.0
        for _ in range(count):
            total += 1.0
        return total

    return law


def by_names_of_our_own(value):
    values, inner = 1.0, value

    def law(t, x, xdot):
        return values * inner

    return law


def by_default(value):
    return lambda t, x, xdot, f=value: f


def by_closed_over_function(value):
    inner = by_closure(value)

    def law(t, x, xdot):
        return inner(t, x, xdot)

    return law


def travel(law) -> float:
    """Twice the distance per unit of force: F = 2 m s / t^2."""
    return 2.0 * MASS * kt.simulate(with_law(law), 1.0)["A.displacement"][-1]


@pytest.mark.parametrize("law", [by_global, by_helper, by_module])
def test_a_value_that_has_changed_between_two_runs_is_seen(law, monkeypatch):
    found = []
    for value in (0.0, 5.0, 10.0):
        monkeypatch.setitem(globals(), "FORCE", value)
        settings.FORCE = value
        found.append(travel(law))
    assert found == pytest.approx(
        [0.0, 5.0, 10.0], abs=1e-7
    )  # rtol 1e-8 of a motion of a few metres


@pytest.mark.parametrize(
    "make", [by_closure, by_names_of_our_own, by_whole_number, by_default, by_closed_over_function]
)
def test_functions_made_by_one_function_keep_their_own_values(make):
    laws = [make(float(k)) for k in range(3)]
    assert [travel(law) for law in laws] == pytest.approx([0.0, 1.0, 2.0], abs=1e-7)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_functions_that_differ_in_floats_only_are_compiled_once(monkeypatch):
    def make(a, b):
        def law(t, x, xdot, c=2.0 * a):
            return a * x + b + c

        return law

    compiled = []
    original = usercode.compile_native
    monkeypatch.setattr(
        usercode, "compile_native", lambda *about: compiled.append(1) or original(*about)
    )
    values = {usercode.address_of(make(float(k), 1.5), "law") for k in range(20)}
    assert len(compiled) == 1
    assert (
        len({machine for machine, _ in values}) == 1
        and len({numbers for _, numbers in values}) == 20
    )


@pytest.mark.skipif(not JIT, reason="plain Python has no machine code")
def test_unused_code_is_released_except_the_latest(monkeypatch):
    monkeypatch.setattr(usercode, "_latest", deque(maxlen=4))
    kept = build(with_law(by_closure(3.0)))
    others = [usercode.address_of(by_closure(100.0 + k), "law") for k in range(20)]
    gc.collect()
    assert len({usercode.code_at(address) for address in others} - {None}) == 4
    assert usercode.code_at(kept.tables.forces[0]["address"]) is kept.code[0]


def test_changing_a_list_that_plain_python_reads_is_seen_at_once():
    values = [1.0]

    class Law:
        def __call__(self, t, x, xdot):
            return values[0]

    law = Law()
    first = travel(law)
    values[0] = 4.0
    assert (first, travel(law)) == pytest.approx((1.0, 4.0), abs=1e-7)
