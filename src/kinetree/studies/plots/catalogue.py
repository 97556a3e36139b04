"""The plots of a study."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...core.figures import save
from ...errors import no_such
from . import contour, convergence, parallel, scatter, tornado

if TYPE_CHECKING:
    from ..result import StudyResult

PLOTS: dict[str, Callable[..., Any]] = {
    "scatter": scatter.figure,
    "contour": contour.figure,
    "tornado": tornado.figure,
    "parallel": parallel.figure,
    "convergence": convergence.figure,
}


def plot(
    table: StudyResult, kind: str, path: Any, output: str | None, options: dict[str, Any]
) -> Any:
    """The figure of a plot, saved if a path is given."""
    if kind not in PLOTS:
        raise no_such("plot", kind, PLOTS, " of a study")
    allowed = ("x", "y") if kind == "contour" else ()
    for name in options:
        if name not in allowed:
            raise no_such("option", name, allowed, f" of the plot {kind!r}")
    return save(PLOTS[kind](table, output, **options), path)
