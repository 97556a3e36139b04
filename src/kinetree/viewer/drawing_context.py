"""Data for drawing joints and elements: the motion, the model size, and lengths over the run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..description.model import Element, JointSpec
from .labels import rotated
from .motion import Motion


@dataclass
class DrawingContext:
    """One run and the length that scales its drawing; `r` is the radius of a hub."""

    motion: Motion
    size: float

    @property
    def r(self) -> float:
        return 0.042 * self.size

    def travel(self, joint: JointSpec) -> np.ndarray:
        """Origin of M in F at every frame, (nt, 3)."""
        apart = self.motion.path(joint.M) - self.motion.path(joint.F)
        if not joint.F.body.is_ground:
            q = self.motion.poses[joint.F.body.name][:, 3:]
            apart = rotated(q * (1.0, -1.0, -1.0, -1.0), apart)
        return apart @ joint.F.X_Bm.R

    def lengths(self, element: Element) -> np.ndarray:
        """Distance between the two markers at every frame."""
        a, b = (self.motion.path(marker) for marker in element.markers)
        return np.linalg.norm(b - a, axis=1)

    def coil_radius(self, element: Element) -> float:
        """Coil radius: 16 % of the mean length, limited to 2 to 6 % of the model size."""
        return float(
            np.clip(0.16 * np.mean(self.lengths(element)), 0.02 * self.size, 0.06 * self.size)
        )
