"""The floor, and the supports of the model: posts under the joints on the ground."""

from __future__ import annotations

from itertools import product

import numpy as np

from ..description.look import Cylinder
from ..description.model import Element, JointSpec
from .colours import CHROME, POST
from .drawing_context import DrawingContext
from .joint_looks import RAILS
from .labels import Solid, rotated

UP = np.array([0.0, 0.0, 1.0])


def floor_under(
    solids: list[Solid], points: np.ndarray, poses: list[np.ndarray], size: float, reach
) -> float:
    """Height of the floor: zero if nothing is below it, otherwise under all moving parts."""
    low = float(points[:, 2].min(initial=0.0))
    for solid in solids:
        held = reach(solid.shape)
        height = held[:, 2] if solid.on == 0 else heights(poses[solid.on - 1], held[:, :3])
        low = min(low, float((height - held[:, 3]).min()))
    return low - 0.05 * size if low < -0.02 * size else 0.0


def heights(pose: np.ndarray, points: np.ndarray) -> np.ndarray:
    """z of body-fixed points at every frame, (nt, n)."""
    return pose[:, None, 2] + rotated(pose[:, None, 3:], points[None])[..., 2]


class Posts:
    """Supports of the joints on the ground, one for each point."""

    def __init__(self, floor: float, middle: np.ndarray) -> None:
        self.floor, self.middle = floor, middle
        # points by the grid cell that contains them
        self.done: dict[tuple[int, ...], list[np.ndarray]] = {}

    def under(self, joint: JointSpec, parts: list[Solid], stage: DrawingContext) -> list[Solid]:
        """Add a bearing on a post beside the model; a vertical shaft or rail reaches the floor by
        itself.
        """
        marker = joint.F if joint.F.body.is_ground else joint.M
        if not marker.body.is_ground or not parts:
            return []
        rail = next((s.shape for s in parts if s.on == 0 and isinstance(s.shape, Cylinder)), None)
        at, axis, r = marker.X_Bm.p, marker.X_Bm.R[:, 2], stage.r
        if RAILS.intersection(joint.joint.look) and rail is not None:
            return self._rail(rail, r)
        if self._supported(at, 0.5 * r):
            return []
        if "axis" not in joint.joint.__dataclass_fields__:  # a ball or a block: straight down
            return post(at, self.floor, r)
        if abs(axis @ UP) > 0.7:  # a vertical pin is extended to the floor
            return post(at, self.floor, r)
        away = -1.0 if (self.middle - at) @ axis > 0.0 else 1.0
        u = away * axis
        head = at + 3.4 * r * u
        return [
            Solid(Cylinder(at, at + 4.6 * r * u, 0.5 * r), 0, CHROME, 0.7),
            Solid(Cylinder(at + 2.5 * r * u, at + 4.3 * r * u, 1.35 * r, round=0.3 * r), 0, POST),
            *post(head, self.floor, r),
        ]

    def _supported(self, at: np.ndarray, near: float) -> bool:
        """Whether a point within the distance `near` has a post; if not, record this one."""
        i, j, k = (int(n) for n in np.floor(at / near))
        cells = product((i - 1, i, i + 1), (j - 1, j, j + 1), (k - 1, k, k + 1))
        if any(np.linalg.norm(at - p) < near for cell in cells for p in self.done.get(cell, ())):
            return True
        self.done.setdefault((i, j, k), []).append(at)
        return False

    def _rail(self, rail: Cylinder, r: float) -> list[Solid]:
        """Put both ends of a horizontal rail on posts, or the lower end of a vertical one on the
        floor.
        """
        low, high = sorted((rail.a, rail.b), key=lambda p: p[2])
        if high[2] - low[2] > 0.7 * np.linalg.norm(high - low):
            return post(low, self.floor, r)
        return [part for end in (low, high) for part in post(end, self.floor, r)]


def post(head: np.ndarray, floor: float, r: float) -> list[Solid]:
    """A post from a plate on the floor up to a point."""
    foot = np.array([head[0], head[1], floor])
    plate = Solid(Cylinder(foot, foot + 0.5 * r * UP, 2.6 * r, round=0.2 * r), 0, POST)
    if head[2] - floor < 0.6 * r:
        return [plate]
    return [Solid(Cylinder(foot, head, 0.62 * r), 0, POST), plate]


def anchors(element: Element, floor: float, r: float) -> list[Solid]:
    """Posts under the ends of an element that are on the ground."""
    return [
        part
        for marker in element.markers
        if marker.body.is_ground
        for part in post(marker.X_Bm.p, floor, 0.7 * r)
    ]
