"""Models with user code are differentiated by internal differences."""

import pytest

import kinetree as kt


def by_function(k=40.0, c=6.0):
    m = kt.Model("pendulum")
    rod = m.body("rod", kt.rod(0.3, 0.5, along="z"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 0.4})
    m.force("hold", kt.TorsionSpring("A.angle", law=lambda t, x, v: -k * x - c * v))
    return m


def by_numbers(k=40.0, c=6.0):
    m = kt.Model("pendulum")
    rod = m.body("rod", kt.rod(0.3, 0.5, along="z"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 0.4})
    m.force("hold", kt.TorsionSpring("A.angle", stiffness=k, damping=c))
    return m


@pytest.mark.parametrize("integrator", ["adams", "dop853", "bdf"])
def test_a_law_by_a_function_has_the_derivatives_of_the_same_law_by_numbers(integrator):
    options = {"until": 0.5, "rtol": 1e-9, "integrator": integrator}
    found = kt.sensitivities(by_function, "final A.angle", **options)
    expected = kt.sensitivities(by_numbers, "final A.angle", **options)
    assert expected.exact and not found.exact
    # central differences with d = 1e-5 p: truncation 1e-10, rounding 1e-11, both times a condition
    assert found["final A.angle"] == pytest.approx(expected["final A.angle"], rel=1e-6)
    assert "by differences" in str(found)


def test_plain_python_that_cannot_be_compiled_is_differentiated_too():
    def make(k=40.0):
        m = kt.Model("pendulum")
        rod = m.body("rod", kt.rod(0.3, 0.5, along="z"))
        m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 0.4})
        numbers = {"k": k}

        def law(t, x, v):
            return -numbers["k"] * x - 6.0 * v

        m.force("hold", kt.TorsionSpring("A.angle", law=law))
        return m

    with pytest.warns(UserWarning):
        found = kt.sensitivities(make, "final A.angle", until=0.2, rtol=1e-7)
    expected = kt.sensitivities(by_numbers, "final A.angle", ["k"], 0.2, rtol=1e-7)
    assert found["final A.angle"]["k"] == pytest.approx(expected["final A.angle"]["k"], rel=1e-6)


def test_user_code_needs_a_formulation_that_does_not_depend_on_the_past():
    with pytest.raises(kt.ModelError, match="needs formulation 'augmented' or 'tree'"):
        kt.sensitivities(
            by_function, "final A.angle", coordinates="cartesian", formulation="partitioning"
        )
