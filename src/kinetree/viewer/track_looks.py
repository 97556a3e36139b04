"""The track of a tracked vehicle: a belt under its wheels, around the idler and the sprocket, and
back above them.
"""

from __future__ import annotations

import numpy as np

from ..description.look import PAINTS, wheel
from ..description.model import Element
from ..elements.forces.wheel import Wheel
from .colours import DARK
from .drawing_context import DrawingContext
from .labels import Solid, Strip, rotated

# relative to the radius of a wheel with belt: thickness and width of the belt, radius of the end
# wheels
THICK = 0.2
WIDE = 1.5
END = 0.85
# angles of the belt points on the idler, from top to bottom
ROUND = np.radians([90.0, 55.0, 20.0, -15.0, -50.0])


def track(element: Element, stage: DrawingContext) -> list[Solid | Strip]:
    """Shape of a track; its markers are the idler, the wheels from front to rear, and the
    sprocket.
    """
    radius = _radius(element, stage)
    paths = np.array([stage.motion.path(marker) for marker in element.markers])
    forward = paths[0] - paths[-1]
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    aside = np.cross((0.0, 0.0, 1.0), forward)
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    line = _line(
        paths, forward, np.cross(forward, aside), radius * (1.0 - 0.5 * THICK), radius * END
    )
    across = np.broadcast_to(aside[:, None], line.shape)
    belt = Strip(line, (WIDE * radius, THICK * radius), across, None, DARK)
    return [*(part for k in (0, -1) for part in _end(element, k, aside[0], stage, radius)), belt]


def _line(
    paths: np.ndarray, forward: np.ndarray, up: np.ndarray, low: float, end: float
) -> np.ndarray:
    """Center line (nt, n, 3): from the middle of the upper run over the idler, under the wheels,
    around the sprocket, and back.
    """
    front = [paths[0] + end * (np.cos(a) * forward + np.sin(a) * up) for a in ROUND]
    rear = [paths[-1] + end * (-np.cos(a) * forward + np.sin(a) * up) for a in ROUND[::-1]]
    middle = 0.5 * (front[0] + rear[-1])
    return np.stack(
        [middle, *front, *(path - low * up for path in paths[1:-1]), *rear, middle], axis=1
    )


def _radius(element: Element, stage: DrawingContext) -> float:
    """Radius of the road wheels; without wheels, such that they nearly touch."""
    bodies = {marker.body.name for marker in element.markers[1:-1]}
    known = [
        e.spec.radius
        for e in stage.motion.model.forces.values()
        if isinstance(e.spec, Wheel) and e.markers[0].body.name in bodies
    ]
    places = np.array([stage.motion.path(marker)[0] for marker in element.markers[1:-1]])
    return (
        known[0] if known else 0.45 * float(np.linalg.norm(np.diff(places, axis=0), axis=1).min())
    )


def _end(
    element: Element, k: int, aside: np.ndarray, stage: DrawingContext, radius: float
) -> list[Solid]:
    """The idler, or the sprocket."""
    marker = element.markers[k]
    q = (
        np.array([1.0, 0, 0, 0])
        if marker.body.is_ground
        else stage.motion.poses[marker.body.name][0, 3:]
    )
    axis = rotated(q * (1.0, -1.0, -1.0, -1.0), aside)
    outlines = wheel(
        (END - 0.5 * THICK) * radius, WIDE * radius, axis=tuple(axis), at=tuple(marker.X_Bm.p)
    )
    return [
        Solid(outline, stage.motion.frame(marker.body.name), PAINTS[outline.paint or "rubber"])
        for outline in outlines
    ]
