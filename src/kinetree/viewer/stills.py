"""Pictures of a model at one state after another, as arrays, with the camera of the first."""

from __future__ import annotations

import numpy as np

from ..results.solution import Solution
from .painter import Painter
from .picture import pixels, viewed
from .scene import scene_of


class Stills:
    """Paints samples of runs; `size` is in inches, as for films."""

    def __init__(self, size: tuple[float, float] = (4.0, 3.0), view=None) -> None:
        self._size, self._view = size, view
        self._first: Painter | None = None

    def image(self, sol: Solution) -> np.ndarray:
        """The first sample as an image (height, width, 3) of bytes."""
        scene = scene_of([sol], channels=(), traces=None, forces=())
        angles, flat = viewed(scene, self._view)
        painter = Painter(scene, angles, *pixels(self._size), flat)
        if self._first is None:
            self._first = painter
        painter.use_camera(self._first)
        return painter.paint(0)[0]
