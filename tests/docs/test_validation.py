"""Published values are reproduced, each within the difference that its case allows."""

import re

import pytest
from workshop.validation.cases import PROBLEMS
from workshop.validation.page import digits, table
from workshop.validation.results import Case, Problem, Result

CASES = [(problem, case) for problem in PROBLEMS for case in problem.cases]


def named(value):
    return value.quantity if isinstance(value, Case) else value.name


@pytest.mark.parametrize(("problem", "case"), CASES, ids=named)
def test_a_published_value_is_reproduced(problem, case):
    result = Result(problem, case, float(case.ours()))
    assert result.difference <= case.within, (result.ours, case.published, case.by)


@pytest.mark.parametrize(("problem", "case"), CASES, ids=named)
def test_no_case_allows_so_much_that_it_could_not_fail(problem, case):
    """Two percent: a displacement of the bend of 1979 differs from the exact arc by 1.5 percent.

    Coordinates that pass near zero are compared with the size of the mechanism, of about 1 m.
    """
    assert (
        0.0 < case.within <= 0.02 * max(abs(float(case.published)), 0.1 * ("(m)" in case.quantity))
    )


def test_every_problem_has_a_source_and_every_value_a_unit_or_is_a_number():
    for problem in PROBLEMS:
        assert re.search(r"\d{4}|Chrono|Exudyn|Modelica", problem.source), problem.name
        assert problem.cases
    units = {re.search(r"\(([^)]+)\)$", case.quantity) for _, case in CASES}
    assert {u[1] for u in units if u} == {"m", "rad", "rad/s", "N", "N m", "Pa", "in"}


def test_the_table_has_one_row_for_each_value_with_all_published_digits():
    case = Case("height (m)", "0.12340", 1e-3, "exact", lambda: 0.12345)
    problem = Problem("Tower", "rigid", "a book of 1990", (case,))
    text = table([Result(problem, case, case.ours())])
    assert "The table has 1 published values." in text
    assert "| height (m) | 0.12340 | exact | 0.123450 | 5.0e-05 | 1.0e-03 |" in text
    assert "- Tower: a book of 1990" in text


@pytest.mark.parametrize(
    ("printed", "count"), [("0.0156", 3), ("-12.30", 4), ("2.5e-08", 2), ("98", 2)]
)
def test_digits_are_counted_as_printed(printed, count):
    assert digits(printed) == count
