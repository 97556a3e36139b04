"""Change of an output with each parameter, the largest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.figures import new
from ...results.figure import COLOURS, as_label
from .data import effects

if TYPE_CHECKING:
    from ..result import StudyResult


def figure(table: StudyResult, output: str | None = None) -> Any:
    """Bars of the linear effects."""
    name, change, parameters, explained = effects(table, output)
    order = np.argsort(np.abs(change), kind="stable")
    drawn = new(figsize=(7.0, 1.4 + 0.42 * len(order)), layout="constrained")
    axis = drawn.subplots()
    colours = [COLOURS[0] if change[k] >= 0.0 else COLOURS[1] for k in order]
    axis.barh(range(len(order)), change[order], color=colours, height=0.6)
    axis.set_yticks(range(len(order)), [as_label(parameters[k]) for k in order])
    axis.axvline(0.0, color="black", linewidth=0.8)
    axis.set_xlabel(f"change of {as_label(name)} from the lowest to the highest value")
    axis.set_title(
        f"linear effects; the fit explains {100.0 * explained:.1f} % of the variance",
        fontsize="medium",
    )
    axis.grid(axis="x", alpha=0.3)
    return drawn
