"""Plates as polygons: rounded corners, and triangulation by ear clipping."""

from __future__ import annotations

import math

import numpy as np

from ..description.look import Plate
from .labels import cross

_ARC = math.pi / 9  # rad, largest angle between points of a rounded corner


def rounded(plate: Plate) -> np.ndarray:
    """The outline of a plate moved outward by `round`: arcs about convex corners, miters at the
    others.
    """
    ring, n, r = plate.ring, plate.normal, plate.round
    if r == 0.0:
        return ring
    found = []
    for before, p, after in zip(np.roll(ring, 1, axis=0), ring, np.roll(ring, -1, axis=0)):
        out = [cross(edge, n) / np.linalg.norm(edge) for edge in (p - before, after - p)]
        turn = math.atan2(cross(out[0], out[1]) @ n, out[0] @ out[1])
        if turn <= 0.0:
            found.append(p + r * (out[0] + out[1]) / max(1.0 + out[0] @ out[1], 0.2))
            continue
        steps = max(1, math.ceil(turn / _ARC))
        for a in np.linspace(0.0, turn, steps + 1):
            found.append(p + r * (math.cos(a) * out[0] + math.sin(a) * cross(n, out[0])))
    return np.array(found)


def triangulated(ring: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Indices (n - 2, 3) of triangles that fill a simple polygon, counterclockwise about the
    normal.
    """
    x = ring[1] - ring[0]
    x = x - (x @ normal) * normal
    flat = np.column_stack([ring @ x, ring @ cross(normal, x)]) / np.linalg.norm(x)
    turns = [
        _turn(*three) for three in zip(np.roll(flat, 1, axis=0), flat, np.roll(flat, -1, axis=0))
    ]
    return _zigzag(len(flat)) if min(turns) >= 0.0 else _clipped(flat)


def _zigzag(count: int) -> np.ndarray:
    """Triangles of a convex polygon, from both sides in turn: fewer slivers than a fan."""
    found, low, high = [], 0, count - 1
    while high - low > 1:
        found.append([low, low + 1, high])
        if high - low > 2:
            found.append([low + 1, high - 1, high])
        low, high = low + 1, high - 1
    return np.array(found)


def _clipped(flat: np.ndarray) -> np.ndarray:
    """Triangles of any polygon by ear clipping: an ear is a corner whose triangle contains no other
    corner.
    """
    left, found = list(range(len(flat))), []
    while len(left) > 3:
        k = next((k for k in range(len(left)) if _is_ear(flat, left, k)), 0)
        found.append([left[k - 1], left[k], left[(k + 1) % len(left)]])
        del left[k]
    return np.array([*found, left])


def _turn(a, b, c) -> float:
    """Twice the area of a triangle, positive if counterclockwise."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _is_ear(flat: np.ndarray, left: list[int], k: int) -> bool:
    three = [left[k - 1], left[k], left[(k + 1) % len(left)]]
    a, b, c = flat[three]
    if _turn(a, b, c) <= 0.0:
        return False
    return not any(
        min(_turn(a, b, p), _turn(b, c, p), _turn(c, a, p)) > 0.0
        for p in flat[[i for i in left if i not in three]]
    )
