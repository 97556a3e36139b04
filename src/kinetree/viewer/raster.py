"""Rasterization of triangles with a depth buffer, in NumPy: each triangle row by row, then the
nearest at each pixel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Pixels(NamedTuple):
    """The visible pixels: pixel, triangle, weights of its three corners; and the depth of every
    pixel (inf if empty).
    """

    pixel: np.ndarray
    triangle: np.ndarray
    weights: np.ndarray
    depth: np.ndarray


def rasterised(points: np.ndarray, triangles: np.ndarray, width: int, height: int) -> Pixels:
    """Rasterize triangles that appear counterclockwise; the others are hidden.

    `points` (n, 3) are pixels right, pixels down, and depth.
    """
    corners = points[triangles[:, ::-1]]  # down is positive, which reverses the orientation
    edges, area = _edges(corners)
    seen = np.flatnonzero(area > 1e-12)
    triangle, y = _rows(corners, seen, height)
    triangle, x, y = _spans(edges, triangle, y, width)
    weights = _weights(edges, area, triangle, x, y)
    depth = np.einsum("nk,nk->n", weights, corners[triangle, :, 2]).astype(np.float32)
    pixel, buffer = y * width + x, np.full(width * height, np.inf, np.float32)
    np.minimum.at(buffer, pixel, depth)
    near = np.flatnonzero(depth == buffer[pixel])
    _, first = np.unique(pixel[near], return_index=True)  # one of those at equal depth
    near = near[first]
    return Pixels(pixel[near], triangle[near], weights[near][:, ::-1], buffer)


def covered(points: np.ndarray, triangles: np.ndarray, width: int, height: int) -> np.ndarray:
    """The pixels (height, width) covered by any triangle of either orientation."""
    corners = points[triangles]
    both = np.concatenate([corners, corners[:, ::-1]])
    edges, area = _edges(both)
    triangle, y = _rows(both, np.flatnonzero(area > 1e-12), height)
    _, x, y = _spans(edges, triangle, y, width)
    mask = np.zeros(width * height, bool)
    mask[y * width + x] = True
    return mask.reshape(height, width)


def _edges(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edge functions A x + B y + C, (m, 3 edges, 3), nonnegative inside; edge k is opposite corner
    k. Also twice the area.
    """
    p, q = np.roll(corners, -1, axis=1)[:, :, :2], np.roll(corners, -2, axis=1)[:, :, :2]
    A, B = p[..., 1] - q[..., 1], q[..., 0] - p[..., 0]
    C = -(A * p[..., 0] + B * p[..., 1])
    area = np.einsum("mi,mi->m", np.stack([A[:, 0], B[:, 0]], 1), corners[:, 0, :2]) + C[:, 0]
    return np.stack([A, B, C], axis=2), area


def _repeated(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Index of the owner, and count within the owner, of `counts` items each."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)


def _rows(corners: np.ndarray, seen: np.ndarray, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Each triangle once for every row of pixels whose center line it crosses."""
    y = corners[seen, :, 1]
    first = np.clip(np.ceil(_least(y) - 0.5), 0, height).astype(int)
    last = np.clip(np.floor(-_least(-y) - 0.5), -1, height - 1).astype(int)
    owner, k = _repeated(np.maximum(last - first + 1, 0))
    return seen[owner], first[owner] + k


def _spans(
    edges: np.ndarray, triangle: np.ndarray, y: np.ndarray, width: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pixels of each row between the left and right edges."""
    A = edges[triangle, :, 0]
    BC = edges[triangle, :, 1] * (y + 0.5)[:, None] + edges[triangle, :, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        x = -BC / A
    left, right = -_least(np.where(A > 0.0, -x, np.inf)), _least(np.where(A < 0.0, x, np.inf))
    first = np.clip(np.ceil(left - 0.5), 0, width).astype(int)
    last = np.clip(np.floor(right - 0.5), -1, width - 1).astype(int)
    level = _least(np.where(A == 0.0, BC, 0.0)) >= 0.0
    owner, k = _repeated(np.where(level, np.maximum(last - first + 1, 0), 0))
    return triangle[owner], first[owner] + k, y[owner]


def _least(three: np.ndarray) -> np.ndarray:
    """Minimum of each row of three; much faster than min(axis=1)."""
    return np.minimum(np.minimum(three[:, 0], three[:, 1]), three[:, 2])


def _weights(edges, area, triangle, x, y) -> np.ndarray:
    """Weights of the three corners at the center of a pixel."""
    E = edges[triangle]
    return (E[:, :, 0] * (x + 0.5)[:, None] + E[:, :, 1] * (y + 0.5)[:, None] + E[:, :, 2]) / area[
        triangle, None
    ]
