"""The layout of the figures: panels below each other, legends above the panels, tick labels without
offsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ....core.figures import new, save
from ....results.figure import COLOURS

WIDTH, HEIGHT, WIDE = 7.2, 2.7, 8.4  # inches: of a panel, and of two beside each other
OURS = {
    "color": COLOURS[5],
    "linewidth": 3.0,
}  # wide and light, so that a curve upon it does not hide it
OTHER = {"color": COLOURS[1], "linewidth": 1.3, "linestyle": (0, (4, 3))}
THIRD = {"color": COLOURS[6], "linewidth": 1.2, "linestyle": (0, (1, 2))}
THIN = {"color": COLOURS[0], "linewidth": 0.9}


class Line(NamedTuple):
    """A curve, its name in the legend, and how matplotlib draws it."""

    label: str
    x: Any
    y: Any
    style: dict[str, Any] = OURS


class Panel(NamedTuple):
    """Axes with curves; `log` puts the ordinate on a logarithmic scale, `marks` are vertical lines
    with a name.
    """

    ylabel: str
    lines: Sequence[Line]
    log: bool = False
    title: str = ""
    marks: Sequence[tuple[str, float]] = ()
    level: tuple[str, float] | None = None
    ylim: tuple[float | None, float | None] | None = None


def panels(
    path,
    shown: Sequence[Panel],
    xlabel: str = "time [s]",
    columns: int = 1,
    xlim=None,
    height: float = HEIGHT,
) -> Any:
    """Draw panels in columns and write them to a path."""
    rows = -(-len(shown) // columns)
    figure = new(
        figsize=(WIDTH if columns == 1 else WIDE, 0.3 + height * rows), layout="constrained"
    )
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.ravel()[len(shown) :]:
        axis.set_visible(False)
    for axis, panel in zip(axes.ravel(), shown):
        draw(axis, panel)
        if xlim is not None:
            axis.set_xlim(xlim)
    for axis in axes[-1]:
        axis.set_xlabel(xlabel)
    return save(figure, path)


def draw(axis, panel: Panel) -> None:
    """Draw the curves of a panel on axes."""
    for line in panel.lines:
        axis.plot(line.x, line.y, label=line.label, **line.style)
    for name, at in panel.marks:
        axis.axvline(at, color="0.45", linewidth=1.0, linestyle="--", label=name)
    if panel.level is not None:
        axis.axhline(
            panel.level[1], color="0.45", linewidth=1.0, linestyle=":", label=panel.level[0]
        )
    axis.set_ylabel(panel.ylabel)
    if panel.log:
        axis.set_yscale("log")
    else:
        axis.ticklabel_format(axis="y", useOffset=False)
        if np.ptp(axis.get_ylim()) < 1e-9:
            axis.margins(y=0.5)
    if panel.ylim is not None:
        axis.set_ylim(*panel.ylim)
    axis.grid(True, alpha=0.3)
    rows = _legend(axis)
    if panel.title:
        axis.set_title(panel.title, fontsize="medium", loc="left", pad=6.0 + 13.0 * rows)


def _legend(axis) -> int:
    """Place the legend above the axes in as many columns as fit; return the number of its rows."""
    names = axis.get_legend_handles_labels()[1]
    if not names:
        return 0
    room = 9.5 * axis.get_figure().get_figwidth() / axis.get_gridspec().ncols  # letters
    columns = min(len(names), max(1, int(room / (max(map(len, names)) + 6))))
    axis.legend(
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncol=columns,
        fontsize="small",
        frameon=False,
        borderaxespad=0.1,
        columnspacing=1.2,
        handlelength=2.2,
    )
    return -(-len(names) // columns)


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """Return the largest difference over the range of the second."""
    return float(np.abs(np.asarray(a) - np.asarray(b)).max() / np.ptp(b))


def as_image(axis, figure) -> None:
    """Show a figure as an image within axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    axis.imshow(np.asarray(canvas.buffer_rgba()))
    axis.axis("off")
