"""Parallel coordinates: one line per case over all columns, colored by an output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.figures import new
from ...results.figure import as_label
from ..result import one_output
from .data import finite, varied

if TYPE_CHECKING:
    from ..result import StudyResult

MOST = 2000  # lines


def figure(table: StudyResult, output: str | None = None) -> Any:
    """Lines from parameter to parameter and to the outputs."""
    from matplotlib.collections import LineCollection

    name = one_output(table, output)
    others = tuple(one for one in table.scalars() if one != name)
    names = (*varied(table), *others[:4], name)
    values = finite(table, names, 2, "parallel").values
    values = values[:: max(1, len(values) // MOST)]
    low, high = values.min(axis=0), values.max(axis=0)
    unit = (values - low) / np.where(high > low, high - low, 1.0)
    drawn = new(figsize=(max(6.5, 1.5 * len(names)), 4.2), layout="constrained")
    axis = drawn.subplots()
    places = np.arange(len(names))
    lines = np.stack([np.broadcast_to(places, unit.shape), unit], axis=2)
    alpha = min(0.9, max(0.08, 40.0 / len(values)))
    drawn_lines = LineCollection(list(lines), cmap="viridis", alpha=alpha, linewidths=1.0)
    drawn_lines.set_array(values[:, -1])
    axis.add_collection(drawn_lines)
    axis.set_xlim(-0.2, len(names) - 0.8)
    axis.set_ylim(-0.1, 1.1)
    axis.set_yticks([])
    axis.set_xticks(places, [as_label(one) for one in names])
    for k in places:
        axis.axvline(k, color="black", linewidth=0.8)
        axis.text(k, 1.03, f"{high[k]:.4g}", ha="center", fontsize="x-small")
        axis.text(k, -0.07, f"{low[k]:.4g}", ha="center", fontsize="x-small")
    bar = drawn.colorbar(drawn_lines, ax=axis, label=as_label(name))
    bar.solids.set_alpha(1.0)
    return drawn
