"""User tableaus: the step rule follows from the order, and order conditions are checked."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.integrators.methods import dop853, dopri5, rk4
from kinetree.engine.integrators.methods.order_conditions import density, in_letters, trees
from kinetree.engine.integrators.methods.tableau import POWER, Tableau

# Bogacki and Shampine, 3(2)
SHAMPINE = {
    "order": 3,
    "c": (0.0, 1 / 2, 3 / 4),
    "a": ((1 / 2,), (0.0, 3 / 4)),
    "b": (2 / 9, 1 / 3, 4 / 9),
    "error": (2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8),
}


def test_there_are_as_many_conditions_as_rooted_trees():
    """[Hairer1993, table II.2.1], with the densities of the four trees of order four."""
    assert [len(trees(n)) for n in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]
    assert {in_letters(t): density(t) for t in trees(4)} == {
        "b c c c": 4,
        "b c (a c)": 8,
        "b (a c c)": 12,
        "b (a (a c))": 24,
    }


@pytest.mark.parametrize(
    "given, power",
    [({}, 1 / 3), ({"power": 0.2}, 0.2), ({"embedded": (2,)}, 1 / 3), ({"error": ()}, 0.0)],
)
def test_the_power_follows_from_the_order_of_the_error(given, power):
    assert Tableau(**{**SHAMPINE, **given}).coefficients()[0, POWER] == pytest.approx(power)


def test_the_powers_of_the_built_in_methods_are_as_published():
    assert [m.TABLEAU.step_power for m in (dopri5, dop853, rk4)] == [0.17, 1 / 8, 0.0]


@pytest.mark.parametrize(
    "given, sentence",
    [
        (
            {"b": (2 / 9, 1 / 3, 0.45)},
            "the method is not of order 3: the condition of order 1 sum b = 1 gives 1.005555556",
        ),
        ({"order": 4}, "the method is not of order 4: the condition of order 4 sum b"),
        (
            {"a": ((1 / 2,), (0.0, 0.7))},
            "the condition sum a = c fails at stage 3: 0.7 instead of 0.75",
        ),
        (
            {"c": (0.0, 1 / 2, 0.5), "a": ((1 / 2,), (0.0, 0.5))},
            "the condition of order 2 sum b c = 1/2 gives",
        ),
        (
            {"error": (0.0, 0.1, -0.1)},
            "the second formula of `error` (weights b - error) is not of order 2",
        ),
        (
            {"embedded": (3,)},
            "the second formula of `error` (weights b - error) is not of order 3: the condition of "
            "order 3",
        ),
        (
            {"c": (0.0, 1 / 2, 3 / 4, 1.0), "a": (*SHAMPINE["a"], (2 / 9, 1 / 3, 0.4))},
            "the condition sum a = c fails at stage 4: 0.9555555556 instead of 1",
        ),
        ({"error": (0.0, 0.0, 0.0)}, "all zero"),
        ({"power": 0.0}, "power must be positive"),
        ({"a": ((1 / 2,),)}, "need as many c"),
        ({"a": ((1 / 2,), (0.0, 3 / 4, 0.1))}, "only 2 stages come before it"),
        ({"order": 0}, "order must be a positive integer"),
    ],
)
def test_a_wrong_tableau_is_refused_with_the_condition_that_fails(given, sentence):
    with pytest.raises(kt.ModelError) as error:
        Tableau(**{**SHAMPINE, **given})
    assert sentence in str(error.value)


def test_the_steps_of_a_user_pair_follow_its_order():
    """Steps of the rule 0.9 h error^-1/3: on a smooth oscillation a tolerance 1000 times tighter
    takes ten times the steps.
    """
    info = Tableau(**SHAMPINE).coefficients()[0]
    growth = [0.9 * error ** -info[POWER] for error in (1e-3, 1.0, 1e3)]
    np.testing.assert_allclose(growth, [9.0, 0.9, 0.09])
