"""Plot of a road: heights of both tracks along x."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.figures import new as new_figure
from ...core.figures import save as save_figure

if TYPE_CHECKING:
    from .road import Road

POINTS = 2000


def extent(road: Road) -> tuple[float, float]:
    """Return the range of x from before the first feature to behind the last one (m)."""
    ends = [x for span in road.spans(0.5) for x in (span.begin, span.end) if np.isfinite(x)]
    low, high = (min(ends), max(ends)) if ends else (0.0, 10.0)
    return low - 0.1 * (high - low), high + 0.1 * (high - low)


def plot(road: Road, begin: float | None, end: float | None, path):
    """Return the figure, and write it if a path is given."""
    low, high = extent(road)
    x = np.linspace(low if begin is None else begin, high if end is None else end, POINTS)
    figure = new_figure(figsize=(8.0, 2.6), layout="constrained")
    axes = figure.subplots()
    sides = [("left", 1e-9), ("right", -1e-9)] if road.right is not None else [("road", 1e-9)]
    for label, y in sides:
        axes.plot(x, road.surface(x, y), label=label)
    axes.set(xlabel="x [m]", ylabel="height [m]")
    axes.grid(alpha=0.3)
    if road.right is not None:
        axes.legend()
    return save_figure(figure, path, 150)
