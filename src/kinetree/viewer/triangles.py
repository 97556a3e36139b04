"""Outlines as triangles with normals, for pictures without a browser; the page has its own, with
rounder edges.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..description.look import Box, Cylinder, Mesh, Outline, Plate, Sphere
from ..kernel.frames import axis_frame
from .polygon import rounded, triangulated

AROUND = 20


class Surface(NamedTuple):
    """Corners and normals (n, 3), triangles (m, 3), counterclockwise from outside."""

    corners: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray

    def moved(self, R: np.ndarray, p: np.ndarray) -> Surface:
        return Surface(self.corners @ R.T + p, self.normals @ R.T, self.triangles)


def surface(shape: Outline) -> Surface:
    """The surface of an outline in its own axes."""
    if isinstance(shape, Cylinder):
        return _cylinder(shape)
    if isinstance(shape, Sphere):
        rows = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 11)
        profile = np.column_stack([np.cos(rows), np.sin(rows)])
        return turned(shape.at, np.array([0.0, 0.0, 1.0]), shape.radius * profile, profile)
    if isinstance(shape, Box):
        return _box(shape)
    if isinstance(shape, Plate):
        return _plate(shape)
    if isinstance(shape, Mesh):
        return _faces(shape.corners[shape.triangles])
    raise TypeError(f"no surface is known of {type(shape).__name__}")


def turned(
    at: np.ndarray, axis: np.ndarray, profile: np.ndarray, normals: np.ndarray, around: int = AROUND
) -> Surface:
    """Surface of revolution: a profile of (radius, height) with normals (outward, along), rotated
    about an axis.
    """
    R = axis_frame(axis, "axis")
    turn = 2.0 * math.pi * np.arange(around + 1) / around
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)]) @ R.T

    def spun(values):
        return (values[:, None, :1] * ring + values[:, None, 1:] * R[:, 2]).reshape(-1, 3)

    return Surface(spun(profile) + at, spun(normals), _net(len(profile), around + 1))


def _cylinder(shape: Cylinder) -> Surface:
    """Sides and ends of a cylinder; a hollow one also has an inside."""
    axis, (r, top), inner = shape.b - shape.a, shape.radii, shape.inner
    l = float(np.linalg.norm(axis))
    slope = np.array([l, r - top]) / math.hypot(l, r - top)
    profile = [(inner, 0.0), (r, 0.0), (r, 0.0), (top, l), (top, l), (inner, l)]
    normals = [(0.0, -1.0), (0.0, -1.0), slope, slope, (0.0, 1.0), (0.0, 1.0)]
    if inner:
        profile = [*profile, (inner, l), (inner, 0.0)]
        normals = [*normals, (-1.0, 0.0), (-1.0, 0.0)]
    return turned(shape.a, axis, np.array(profile), np.array(normals))


def _box(shape: Box) -> Surface:
    faces = []
    for k in range(3):
        for side in (-1.0, 1.0):
            corners = np.zeros((4, 3))
            corners[:, k] = side
            corners[:, (k + 1) % 3], corners[:, (k + 2) % 3] = (-1, 1, 1, -1), (-1, -1, 1, 1)
            faces += (
                [corners[[0, 1, 2]], corners[[0, 2, 3]]]
                if side > 0
                else [corners[[0, 2, 1]], corners[[0, 3, 2]]]
            )
    return _faces(0.5 * np.array(faces) * shape.sides).moved(shape.rotation, shape.at)


def _plate(shape: Plate) -> Surface:
    ring, n = rounded(shape), shape.normal
    lid, half = triangulated(ring, n), 0.5 * shape.thickness * n
    low, high, after = ring - half, ring + half, np.roll(np.arange(len(ring)), -1)
    sides = np.concatenate(
        [
            np.stack([low, low[after], high[after]], axis=1),
            np.stack([low, high[after], high], axis=1),
        ]
    )
    return _faces(np.concatenate([high[lid], low[lid[:, ::-1]], sides]))


def tube(
    points: np.ndarray,
    radius: float,
    around: int = 6,
    flat: float = 1.0,
    across: np.ndarray | None = None,
    capped: bool = False,
) -> Surface:
    """A tube along points.

    The radius is `radius` in the direction `across` of every point, if given, and `flat` times that
    normal to it. A `capped` tube has two more rows of corners at either end.
    """
    tangents = np.gradient(points, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    x, frames = axis_frame(tangents[0], "tube")[:, 0], []
    for k, t in enumerate(tangents):
        x = x if across is None else across[k]
        x = x - (x @ t) * t
        x /= np.linalg.norm(x)
        frames.append((x, np.cross(t, x)))
    turn = 2.0 * math.pi * np.arange(around + 1) / around
    out = np.array(
        [np.outer(np.cos(turn), x) + flat * np.outer(np.sin(turn), y) for x, y in frames]
    )
    normals = np.array(
        [flat * np.outer(np.cos(turn), x) + np.outer(np.sin(turn), y) for x, y in frames]
    )
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    corners = points[:, None] + radius * out
    if capped:
        ends = [
            np.broadcast_to(sign * tangents[k], corners[:2].shape)
            for k, sign in ((0, -1.0), (-1, 1.0))
        ]
        lids = [
            np.stack([np.broadcast_to(points[k], corners[0].shape), corners[k]]) for k in (0, -1)
        ]
        corners = np.concatenate([lids[0], corners, lids[1][::-1]])
        normals = np.concatenate([ends[0], normals, ends[1]])
    return Surface(corners.reshape(-1, 3), normals.reshape(-1, 3), _net(len(corners), around + 1))


def smooth(values: np.ndarray, pieces: int) -> np.ndarray:
    """Rows (n, ..) with interpolated ones between them (Catmull-Rom spline; linear extrapolation at
    the ends).
    """
    if len(values) < 3:
        return values
    v = np.concatenate([[2 * values[0] - values[1]], values, [2 * values[-1] - values[-2]]])
    s = (np.arange(pieces) / pieces).reshape(-1, *[1] * values.ndim)
    a, b, c, d = v[None, :-3], v[None, 1:-2], v[None, 2:-1], v[None, 3:]
    between = 0.5 * (
        2 * b + s * (c - a) + s**2 * (2 * a - 5 * b + 4 * c - d) + s**3 * (3 * (b - c) + d - a)
    )
    return np.concatenate([between.swapaxes(0, 1).reshape(-1, *values.shape[1:]), values[-1:]])


def coil(a: np.ndarray, b: np.ndarray, radius: float, turns: int = 8) -> np.ndarray:
    """Points of a coil from a to b: straight ends, the first turn widens and the last one
    narrows.
    """
    d = b - a
    R = axis_frame(d if np.linalg.norm(d) > 0.0 else (0.0, 0.0, 1.0), "coil")
    s = np.linspace(0.0, 1.0, turns * 14 + 1)
    wide = radius * np.minimum(1.0, np.minimum(10.0 * s, 10.0 * (1.0 - s)))
    turn = 2.0 * math.pi * turns * s
    inner = (
        np.column_stack([wide * np.cos(turn), wide * np.sin(turn)]) @ R[:, :2].T
        + a
        + np.outer(0.07 + 0.86 * s, d)
    )
    return np.concatenate([[a], inner, [b]])


def _net(rows: int, columns: int) -> np.ndarray:
    a = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    return np.concatenate(
        [
            np.column_stack([a, a + 1, a + columns]),
            np.column_stack([a + columns, a + 1, a + columns + 1]),
        ]
    )


def _faces(faces: np.ndarray) -> Surface:
    """Surface of flat faces (m, 3, 3)."""
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    return Surface(
        faces.reshape(-1, 3),
        np.repeat(normals, 3, axis=0),
        np.arange(3 * len(faces)).reshape(-1, 3),
    )
