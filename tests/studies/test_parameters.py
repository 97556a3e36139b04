"""The numbers of a model that depend on parameters."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.pendulum import pendulum
from kinetree.studies.cases.finder import CaseFinder
from kinetree.studies.parameters.polynomials import fit
from kinetree.studies.parameters.texts import text_of_function

from . import machines


def finder(make, options=None, **ranges):
    low = {name: one[0] for name, one in ranges.items()}
    high = {name: one[1] for name, one in ranges.items()}
    return CaseFinder(make, low, high, options)


def test_lengths_and_masses_enter_the_tables_as_polynomials_that_hold_at_fresh_models():
    f = finder(machines.four_bar, crank=(0.4, 0.6), coupler=(1.1, 1.3), m2=(0.5, 1.5))
    assert not f.obstacle and not len(f.map.irregular)
    rng = np.random.default_rng(5)
    for p in rng.uniform([0.4, 1.1, 0.5], [0.6, 1.3, 1.5], (5, 3)):
        built = f.map.built_values(f.lower(p))
        size = np.maximum(np.abs(built), f.map.base.sizes[f.map.changed])
        # rounding of polynomials of third degree with up to ten terms
        assert (np.abs(f.map.values(p)[0] - built) <= 1e-13 * size).all()


def test_each_number_is_found_to_depend_on_its_own_parameters_alone():
    f = finder(machines.four_bar, crank=(0.4, 0.6), m2=(0.5, 1.5))
    masses = [name for name in f.map.dependents("m2") if name.endswith(".mass")]
    assert len(masses) == 2  # the coupler's, in the tables of the run and of the held start
    assert not any(name.endswith(".mass") for name in f.map.dependents("crank"))
    assert any(".p_PF" in name for name in f.map.dependents("crank"))


def test_a_polynomial_that_fits_the_samples_but_not_fresh_points_is_refused():
    rng = np.random.default_rng(0)
    points = rng.uniform(-1.0, 1.0, (400, 1))

    def sample(count):
        u = points[:count]
        return u, np.column_stack([3.0 * u[:, 0] ** 2 - 1.0, np.sin(u[:, 0]), np.abs(u[:, 0])])

    terms, irregular = fit(np.ones((3, 1), bool), np.arange(3), np.ones(3), sample)
    assert [int(k) for one in terms for k in one.numbers] == [0]
    assert list(irregular) == [1, 2]


def test_a_number_that_is_no_polynomial_lets_every_case_be_built_with_the_exact_number():
    f = finder(machines.tilted, tilt=(0.1, 0.9), mass=(0.5, 2.0))
    assert len(f.map.irregular)
    case = f.case([0.7, 1.3])
    assert case.way == "built"
    exact = kt.assemble(machines.tilted(0.7, 1.3)).compiled.tables
    assert case.assembly.compiled.tables.links.tobytes() == exact.links.tobytes()


def test_another_topology_is_named_and_every_case_takes_the_general_way():
    f = finder(machines.chain, links=(2, 4))
    assert "bodies" in f.obstacle and "'rod" in f.obstacle


def test_times_of_breaks_that_depend_on_parameters_are_not_patched():
    def make(late=0.5):
        m = machines.sprung()
        m.force("push", kt.TorsionSpring("A.angle", torque=kt.Ramp(2.0, begin=late)))
        return m

    f = finder(make, late=(0.2, 0.8))
    assert "time functions break" in f.obstacle


def test_a_parameter_that_the_function_does_not_have_is_named_with_the_nearest_one():
    with pytest.raises(kt.NameNotFound, match=r"crankk.*Did you mean 'crank'"):
        finder(machines.four_bar, crankk=(0.4, 0.6))


def test_a_case_of_its_own_keeps_its_numbers_when_another_one_is_made():
    f = finder(machines.four_bar, crank=(0.4, 0.6))
    first = f.case([0.45])
    before = first.assembly.compiled.tables.links.copy()
    f.case([0.55])
    assert first.assembly.compiled.tables.links.tobytes() == before.tobytes()


def test_small_numbers_beside_large_ones_are_as_exact_as_those():
    # areas of 1e-3 m^2 beside a bulk modulus of 1e9 Pa in one array
    found = finder(machines.lift, bore=(0.045, 0.055), flow=(2e-4, 4e-4))
    p = np.array([0.0523, 3.1e-4])
    exact, own = found.lower(p).numbers[found.map.changed], found.map.values(p)[0]
    np.testing.assert_allclose(own, exact, rtol=1e-12)


MASS, MASSES = 1.0, np.array([1.0, 2.0])


def helper(length):
    return MASS * length


def referring(length=0.5):
    return helper(length) + MASSES[0]


def test_the_text_of_a_function_changes_with_what_it_refers_to(monkeypatch):
    before = text_of_function(referring)
    assert text_of_function(referring) == before and "0x" not in before
    for name, value in (("MASS", 2.0), ("MASSES", np.array([1.0, 3.0])), ("helper", pendulum)):
        with monkeypatch.context() as changed:
            changed.setitem(globals(), name, value)
            assert text_of_function(referring) != before
    assert text_of_function(referring) == before


def test_the_text_of_a_function_has_no_addresses_in_memory():
    def outer(inner):
        return lambda length: inner(length)

    texts = {text_of_function(outer(helper)) for _ in range(3)}
    assert len(texts) == 1 and "0x" not in texts.pop()
    assert text_of_function(outer(helper)) != text_of_function(outer(pendulum))
    written: dict = {}
    exec("def make(length=0.5):\n    return [k * length for k in (1, 2)]", written)
    assert "0x" not in text_of_function(written["make"])
