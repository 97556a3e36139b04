"""What the plots of a study read from its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...errors import ModelError, counted
from ...kernel.linalg import lstsq
from ..result import one_output

if TYPE_CHECKING:
    from ..result import StudyResult


class Columns(NamedTuple):
    """Columns of the cases that are done, by name."""

    names: tuple[str, ...]
    values: np.ndarray  # (cases, names)


def varied(table: StudyResult) -> tuple[str, ...]:
    """The parameters with more than one value."""
    space = table.study.space
    return tuple(n for n, a, b in zip(space.names, space.low, space.high) if a < b)


def finite(table: StudyResult, names: tuple[str, ...], least: int, what: str) -> Columns:
    """Columns at the cases where all of them are known; an error if there are too few."""
    values = np.column_stack([table[name] for name in names])
    values = values[np.isfinite(values).all(axis=1) & (table.status == "done")]
    if len(values) < least:
        raise ModelError(
            f"the plot {what!r} needs at least {counted(least, 'case', 'cases')} that are done, and "
            f"the study has {len(values)}."
        )
    return Columns(names, values)


def effects(
    table: StudyResult, output: str | None
) -> tuple[str, np.ndarray, tuple[str, ...], float]:
    """Change of an output from the smallest to the largest value of each parameter, by a fit that is
    linear in all of them, and the part of the variance that the fit explains.
    """
    name, parameters = one_output(table, output), varied(table)
    if not parameters:
        raise ModelError("the plot 'tornado' needs a parameter with more than one value.")
    found = finite(table, (*parameters, name), len(parameters) + 1, "tornado").values
    P, y = found[:, :-1], found[:, -1]
    low, high = P.min(axis=0), P.max(axis=0)
    width = np.where(high > low, high - low, 1.0)
    basis = np.column_stack([np.ones(len(P)), (P - 0.5 * (low + high)) / width])
    c = lstsq(basis, y)
    spread = float(((y - y.mean()) ** 2).sum())
    left = float(((y - basis @ c) ** 2).sum())
    return name, c[1:], parameters, 1.0 - left / spread if spread > 0.0 else 1.0
