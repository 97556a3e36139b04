"""Rows of a study whose time histories are kept at given times, such as those of a measurement."""

from __future__ import annotations

import numpy as np

from ..cases.finder import CaseFinder
from ..cases.rows import RowMaker
from ..outputs import Output


class TimedRows(RowMaker):
    """Makes the rows of one thread, as `RowMaker` does, with histories at given times."""

    def __init__(
        self, finder: CaseFinder, outputs: tuple[Output, ...], until: float, times: np.ndarray
    ) -> None:
        super().__init__(finder, outputs, until, None)
        start = float(finder.plan.assembly.t)
        self.grid = times
        self._samples = np.unique(np.concatenate([[start], times, [until]]))
