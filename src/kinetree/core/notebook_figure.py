"""A matplotlib figure that a notebook displays as the last line of a cell, with or without
`%matplotlib inline`.
"""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Drawn(Figure):
    """A figure that a notebook displays once."""

    shown = False  # by a call of pyplot.show() a moment ago

    def _repr_png_(self) -> bytes:
        data = io.BytesIO()
        self.savefig(data, format="png", dpi=self.dpi)
        return data.getvalue()

    def _ipython_display_(self) -> None:
        """Let IPython display the picture, unless a window or the inline backend has just shown the
        figure.
        """
        if not self.shown:
            raise NotImplementedError
        self.shown = False
