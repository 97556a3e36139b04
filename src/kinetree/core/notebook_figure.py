"""A figure of matplotlib that a notebook shows where it is the last line of a cell, with or without
`%matplotlib inline`.
"""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Drawn(Figure):
    """A figure that shows itself, once."""

    shown = False  # by a call of pyplot.show() a moment ago

    def _repr_png_(self) -> bytes:
        data = io.BytesIO()
        self.savefig(data, format="png", dpi=self.dpi)
        return data.getvalue()

    def _ipython_display_(self) -> None:
        """IPython shows the figure by its picture, unless a window or the inline backend has just
        done so.
        """
        if not self.shown:
            raise NotImplementedError
        self.shown = False
