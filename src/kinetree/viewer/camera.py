"""The camera of a picture: it orbits a target, z up, at a distance from which the whole run is
visible, as on the page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

_HALF = math.tan(0.25)  # tangent of half the field of view
_MARGIN = 1.12


@dataclass(frozen=True)
class Camera:
    """Axes right, up and back (rows), target, distance, and pixels."""

    axes: np.ndarray
    target: np.ndarray
    distance: float
    width: int
    height: int
    flat: bool = False

    @classmethod
    def fitted(
        cls,
        hull: np.ndarray,
        azimuth: float,
        elevation: float,
        width: int,
        height: int,
        flat: bool = False,
    ) -> Camera:
        """A camera that shows all points with their radii (n, 4)."""
        back = np.array(
            [
                math.cos(elevation) * math.cos(azimuth),
                math.cos(elevation) * math.sin(azimuth),
                math.sin(elevation),
            ]
        )
        right = np.cross((0.0, 0.0, 1.0), back)
        right /= np.linalg.norm(right)
        axes = np.array([right, np.cross(back, right), back])
        seen, radii = hull[:, :3] @ axes.T, hull[:, 3]
        middle = 0.5 * ((seen - radii[:, None]).min(axis=0) + (seen + radii[:, None]).max(axis=0))
        wide = (
            (np.abs(seen - middle)[:, :2] + radii[:, None])
            * _MARGIN
            / _HALF
            / (width / height, 1.0)
        )
        distance = float(
            (wide.max(axis=1) + (0.0 if flat else 1.0) * (seen[:, 2] - middle[2])).max()
        )
        return cls(axes, middle @ axes, max(distance, 1e-9), width, height, flat)

    @property
    def eye(self) -> np.ndarray:
        return self.target + self.distance * self.axes[2]

    def on_screen(self, points: np.ndarray) -> np.ndarray:
        """Pixels right and down, and a depth that is linear on the screen: smaller is nearer;
        points behind the camera have the largest depth.
        """
        seen = (np.asarray(points) - self.target) @ self.axes.T
        far = self.distance - (0.0 if self.flat else 1.0) * seen[..., 2]
        far = np.maximum(far, 1e-3 * self.distance)
        scale = 0.5 * self.height / _HALF / far
        depth = -seen[..., 2] if self.flat else -1.0 / far
        return np.stack(
            [
                0.5 * self.width + scale * seen[..., 0],
                0.5 * self.height - scale * seen[..., 1],
                depth,
            ],
            axis=-1,
        )

    def on_floor(self, floor: float) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates x and y where the ray of every pixel intersects the floor (height, width);
        NaN if it does not.
        """
        u = ((np.arange(self.width) + 0.5 - 0.5 * self.width) * 2.0 * _HALF / self.height)[None, :]
        v = ((0.5 * self.height - np.arange(self.height) - 0.5) * 2.0 * _HALF / self.height)[
            :, None
        ]
        across = [u * self.axes[0][k] + v * self.axes[1][k] for k in range(3)]
        start = [self.eye[k] + (self.distance * across[k] if self.flat else 0.0) for k in range(3)]
        ray = [(0.0 if self.flat else across[k]) - self.axes[2][k] for k in range(3)]
        with np.errstate(divide="ignore", invalid="ignore"):
            s = (floor - start[2]) / ray[2]
        s = np.where((s > 0.0) & np.isfinite(s), s, np.nan)
        return start[0] + s * ray[0], start[1] + s * ray[1]
