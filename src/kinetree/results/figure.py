"""Style of all plots: stacked axes, legends beside them, colors that readers can distinguish."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.checks import flag
from ..core.figures import new as plain
from ..core.figures import new_in_window as in_window

_WIDTH, _HEIGHT, _LETTER = (
    7.5,
    2.6,
    0.075,
)  # inches: of an axis with its margins, and of a letter of a legend
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
)  # Okabe and Ito, 2008
_LINES = ("-", "--", ":", "-.")


def new_figure(rows: int, show: bool = False) -> tuple[Any, np.ndarray]:
    """A figure with stacked axes; with `show`, one that a window can display."""
    size = (_WIDTH, 0.8 + _HEIGHT * rows)
    figure = in_window(figsize=size) if flag(show, "plot: show") else plain(figsize=size)
    return figure, stacked_axes(figure, rows)


def stacked_axes(figure, rows: int) -> np.ndarray:
    """Stacked axes with a common abscissa and fixed margins, because fitting margins is slow."""
    height = figure.get_figheight()
    figure.subplots_adjust(
        left=0.13, right=0.97, top=1.0 - 0.4 / height, bottom=0.5 / height, hspace=0.12
    )
    axes = figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]
    for axis in axes:
        axis.set_prop_cycle(color_cycle())
    return axes


def color_cycle():
    """Seven colors, then the same with another line style."""
    from cycler import cycler

    return cycler(linestyle=_LINES) * cycler(color=COLOURS)


def with_legends(figure, axes) -> None:
    """Draw a grid and legends; the figure grows by the width of the longest name."""
    longest = max(
        (len(text) for axis in axes for text in axis.get_legend_handles_labels()[1]), default=0
    )
    width, wider = figure.get_figwidth(), 0.5 + _LETTER * longest
    edges = figure.subplotpars
    figure.set_figwidth(width + wider)
    figure.subplots_adjust(
        left=edges.left * width / (width + wider), right=edges.right * width / (width + wider)
    )
    for axis in axes:
        beside_legend(axis)


def beside_legend(axis) -> None:
    axis.grid(True, alpha=0.3)
    axis.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        borderaxespad=0.0,
        fontsize="small",
        frameon=False,
    )


def as_label(name: str) -> str:
    """A name for a legend; matplotlib omits names that begin with an underscore."""
    return f" {name}" if name.startswith("_") else name


def literal(figure) -> None:
    """Show names literally, also with dollar signs; the tick labels keep their format."""
    legends = [*figure.legends, *(axis.get_legend() for axis in figure.axes if axis.get_legend())]
    texts = [
        text
        for axis in figure.axes
        for text in (axis.title, axis._left_title, axis.xaxis.label, axis.yaxis.label)
    ]
    for text in (*texts, *(text for legend in legends for text in legend.get_texts())):
        text.set_parse_math(False)
