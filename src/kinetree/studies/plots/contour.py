"""Contours of an output over two parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.figures import new
from ...errors import ModelError, no_such
from ...results.figure import as_label
from ..result import one_output
from .data import effects, finite, varied

if TYPE_CHECKING:
    from ..result import StudyResult


def figure(
    table: StudyResult, output: str | None = None, x: str | None = None, y: str | None = None
) -> Any:
    """Filled contours with the cases as dots; of other parameters all values are shown."""
    name, known = one_output(table, output), varied(table)
    if len(known) < 2:
        raise ModelError("the plot 'contour' needs two parameters with more than one value.")
    for one in (x, y):
        if one is not None and one not in known:
            raise no_such("parameter", one, known, " with more than one value")
    x, y = _chosen(table, name, known, x, y)
    found = finite(table, (x, y, name), 4, "contour").values
    drawn = new(figsize=(6.8, 5.0), layout="constrained")
    axis = drawn.subplots()
    if len(known) == 2 and _spread(found):
        filled = axis.tricontourf(*_unit(found).T[:2], found[:, 2], levels=14, cmap="viridis")
        _ticks(axis, found)
        axis.plot(*_unit(found).T[:2], ".", color="black", markersize=2.5, alpha=0.5)
    else:  # values of other parameters differ from dot to dot
        filled = axis.scatter(found[:, 0], found[:, 1], c=found[:, 2], s=14, cmap="viridis")
    drawn.colorbar(filled, ax=axis, label=as_label(name))
    axis.set_xlabel(as_label(x))
    axis.set_ylabel(as_label(y))
    return drawn


def _chosen(
    table: StudyResult, name: str, known: tuple[str, ...], x: str | None, y: str | None
) -> tuple[str, str]:
    """The two parameters, by default those with the largest effects."""
    change = np.abs(effects(table, name)[1])
    order = [known[k] for k in np.argsort(-change, kind="stable")]
    x = x or next(one for one in order if one != y)
    return x, y or next(one for one in order if one != x)


def _unit(found: np.ndarray) -> np.ndarray:
    """Both parameters scaled to 0 .. 1, so that triangles are well shaped."""
    low, high = found[:, :2].min(axis=0), found[:, :2].max(axis=0)
    return (found[:, :2] - low) / (high - low)


def _spread(found: np.ndarray) -> bool:
    """Whether the cases fill an area."""
    low, high = found[:, :2].min(axis=0), found[:, :2].max(axis=0)
    if not (high > low).all():
        return False
    unit = np.unique(np.round(_unit(found), 9), axis=0)
    middle = unit - unit.mean(axis=0)
    xx, yy, xy = (
        (middle[:, 0] ** 2).sum(),
        (middle[:, 1] ** 2).sum(),
        (middle[:, 0] * middle[:, 1]).sum(),
    )
    return len(unit) >= 4 and bool(xx * yy - xy * xy > 1e-9 * xx * yy)


def _ticks(axis: Any, found: np.ndarray) -> None:
    """Round values along axes that go from 0 to 1."""
    from matplotlib.ticker import MaxNLocator

    for k, one in enumerate((axis.xaxis, axis.yaxis)):
        low, high = found[:, k].min(), found[:, k].max()
        values = MaxNLocator(6).tick_values(low, high)
        values = values[(values >= low) & (values <= high)]
        one.set_ticks((values - low) / (high - low), [f"{v:.6g}" for v in values])
