"""Figures of matplotlib, loaded on first use, and their files."""

from __future__ import annotations

import io
import os
from typing import Any

from ..errors import ResultError
from .atomic_write import write
from .checks import a_path

ENDINGS = (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".eps")


def new(**options: Any) -> Any:
    """A figure that pyplot does not manage; options are those of matplotlib's Figure."""
    try:
        import matplotlib.figure  # noqa: F401

        from .notebook_figure import Drawn
    except ImportError:
        raise ResultError(
            "plots need the package matplotlib; install it with  pip install matplotlib."
        ) from None
    return Drawn(**options)


def new_in_window(**options: Any) -> Any:
    """A figure that pyplot.show() shows."""
    from matplotlib import pyplot

    from .notebook_figure import Drawn

    return pyplot.figure(FigureClass=Drawn, **options)


def show(figure: Any) -> None:
    from matplotlib import pyplot

    pyplot.show()
    figure.shown = True


def save(figure: Any, path: str | os.PathLike[str] | None, dpi: int = 120) -> Any:
    """Return the figure, after writing it to `path` if one is given; a name without a suffix gets
    .png, and an existing file is replaced.
    """
    if path is None:
        return figure
    path, picture = a_path(path, "plot: path"), io.BytesIO()
    ending = path.suffix.lower() or ".png"
    if ending not in ENDINGS:
        film = " sol.film writes .gif, .webp and .mp4." if ending in (".gif", ".mp4") else ""
        page = " sol.animate writes .html." if ending in (".html", ".htm") else ""
        raise ResultError(
            f"cannot write the plot {os.fspath(path)!r}: its name must end in "
            f"{', '.join(ENDINGS)}.{film}{page}"
        )
    try:
        figure.savefig(picture, dpi=dpi, format=ending[1:])
    except ValueError as error:
        raise ResultError(f"cannot write the plot {os.fspath(path)!r}: {error}.") from error
    write(
        path if path.suffix else path.with_name(f"{path.name}.png"),
        picture.getvalue(),
        overwrite=True,
    )
    return figure
