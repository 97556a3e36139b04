"""Motion of one point relative to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.checks import word
from ..errors import no_such
from .measured import dot, point_motion
from .sources import points_of

if TYPE_CHECKING:
    from .solution import Solution


class RelativeMotion(NamedTuple):
    """Motion of a second point relative to a first one, in world axes.

    Returned by `Solution.between`.

    Attributes
    ----------
    displacement : ndarray, shape (nt, 3)
        Vector from the first point to the second (m).
    distance : ndarray, shape (nt,)
        Its length (m).
    velocity : ndarray, shape (nt, 3)
        Derivative of the vector (m/s).
    rate : ndarray, shape (nt,)
        Derivative of the distance (m/s).
    """

    displacement: np.ndarray
    distance: np.ndarray
    velocity: np.ndarray
    rate: np.ndarray

    def __repr__(self) -> str:
        nearest, farthest = self.distance.min(initial=np.inf), self.distance.max(initial=0.0)
        return f"<distance of two points: {nearest:.4g} to {farthest:.4g} m>"


def between(sol: Solution, first: str, second: str) -> RelativeMotion:
    (p1, v1), (p2, v2) = _point(sol, first), _point(sol, second)
    d, ddot = p2 - p1, v2 - v1
    distance, along = np.linalg.norm(d, axis=1), dot(d, ddot)
    return RelativeMotion(
        d,
        distance,
        ddot,
        np.divide(along, distance, out=np.zeros_like(along), where=distance > 0.0),
    )


def _point(sol: Solution, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity of a body origin or of a named point "<body>.<point>"."""
    body, _, point = word(name, "between: a body or point").partition(".")
    index = 0 if body == "ground" else sol.compiled.body_index(body)
    known = {} if index == 0 else points_of(sol.model.bodies[body])
    if point and point not in known:
        raise no_such("point", point, known, f" on body {body!r}")
    return point_motion(sol.record, index, known.get(point, (0.0, 0.0, 0.0)))[:2]
