"""A figure of matplotlib that a notebook shows as the last line of a cell, with or without
`%matplotlib inline`.
"""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Drawn(Figure):
    """A figure that a notebook shows once."""

    shown = False  # whether pyplot.show() has just shown it

    def _repr_png_(self) -> bytes:
        data = io.BytesIO()
        self.savefig(data, format="png", dpi=self.dpi)
        return data.getvalue()

    def _ipython_display_(self) -> None:
        """Show the figure in IPython, unless a window or the inline backend has just shown it."""
        if not self.shown:
            raise NotImplementedError
        self.shown = False
