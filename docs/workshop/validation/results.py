"""One published number, and what Kinetree computes for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple


class Case(NamedTuple):
    """One published number.

    `published` is a text, with the digits that were printed. `within` is the allowed difference in
    its unit: how far the published number is reliable, or else the error of our run. `by` names the
    program or the method behind the number.
    """

    quantity: str
    published: str
    within: float
    by: str
    ours: Callable[[], float]


class Problem(NamedTuple):
    """A published problem with its source and its cases."""

    name: str
    family: str  # one plot each
    source: str
    cases: tuple[Case, ...]


class Result(NamedTuple):
    """A case with the computed value."""

    problem: Problem
    case: Case
    ours: float

    @property
    def difference(self) -> float:
        return abs(self.ours - float(self.case.published))


def results() -> list[Result]:
    """Compute all cases."""
    return list(_computed())


def _computed() -> Iterator[Result]:
    from .cases import PROBLEMS

    for problem in PROBLEMS:
        for case in problem.cases:
            yield Result(problem, case, float(case.ours()))
