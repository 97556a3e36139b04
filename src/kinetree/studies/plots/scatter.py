"""Scatter matrix: every column against every other one, histograms on the diagonal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.figures import new
from ...results.figure import COLOURS, as_label
from ..result import one_output
from .data import finite, varied

if TYPE_CHECKING:
    from ..result import StudyResult

MOST = 7  # columns


def figure(table: StudyResult, output: str | None = None) -> Any:
    """The matrix of parameters and outputs, or of parameters and one output."""
    outputs = (
        (one_output(table, output),) if output else table.scalars() or (one_output(table, None),)
    )
    parameters = varied(table)[: MOST - 1]
    names = (*parameters, *outputs[: MOST - len(parameters)])
    columns, n = finite(table, names, 2, "scatter").values, len(names)
    size = max(4.5, 1.9 * n)
    drawn = new(figsize=(size, size), layout="constrained")
    axes = drawn.subplots(n, n, squeeze=False)
    alpha = min(0.8, max(0.08, 60.0 / len(columns) ** 0.75))
    for i in range(n):
        for j in range(n):
            axis = axes[i, j]
            colour = COLOURS[0] if i < len(parameters) else COLOURS[1]
            if i == j:
                axis.hist(columns[:, i], bins=min(30, max(5, len(columns) // 10)), color=colour)
                axis.set_yticks([])
            else:
                axis.plot(
                    columns[:, j], columns[:, i], ".", color=colour, markersize=3, alpha=alpha
                )
            axis.tick_params(labelsize="x-small")
            axis.locator_params(nbins=3)
            if i < n - 1:
                axis.set_xticklabels([])
            else:
                axis.set_xlabel(as_label(names[j]), fontsize="small")
            if j and not (i == j):
                axis.set_yticklabels([])
            if j == 0:
                axis.set_ylabel(as_label(names[i]), fontsize="small")
    return drawn
