"""Vertices, faces and core of a convex hull, and the numbers by which kernels know them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import ModelError
from .manifold import SIDES

INSET = 0.05  # of the half thickness of a shape, by which its core is smaller
_FLAT = 1e-9  # of the size: points within this of a plane lie in one face


class Polytope(NamedTuple):
    """A convex hull."""

    vertices: np.ndarray  # (n, 3)
    core: np.ndarray  # vertices of the hull with its planes moved inwards
    normals: np.ndarray  # (faces, 3)
    faces: list[np.ndarray]  # the vertices of every face in order
    radius: float  # smallest distance of its middle from a face
    numbers: tuple[float, ...]


def polytope(points: np.ndarray) -> Polytope:
    """The hull of points; an error if they lie in one plane."""
    from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        raise ModelError(
            "Hull: points must span a volume; give at least four points that do not lie in one plane."
        ) from None
    vertices = points[hull.vertices]
    size = float(np.ptp(vertices, axis=0).max())
    planes = _merged(hull.equations, vertices, _FLAT * size)
    middle = vertices.mean(axis=0)
    radius = float(-(planes[:, :3] @ middle + planes[:, 3]).max())
    inner = planes.copy()
    inner[:, 3] += INSET * radius
    core = np.unique(HalfspaceIntersection(inner, middle).intersections, axis=0)
    faces = [_around(vertices, plane, _FLAT * size) for plane in planes]
    return Polytope(
        vertices,
        core,
        planes[:, :3],
        faces,
        radius,
        _numbers(vertices, core, planes[:, :3], faces),
    )


def _merged(equations: np.ndarray, vertices: np.ndarray, near: float) -> np.ndarray:
    """One plane for all triangles of a face: those that contain the same vertices."""
    seen: dict[tuple[int, ...], np.ndarray] = {}
    for plane in equations:
        seen.setdefault(tuple(np.flatnonzero(vertices @ plane[:3] + plane[3] > -near)), plane)
    return np.array(list(seen.values()))


def _around(vertices: np.ndarray, plane: np.ndarray, near: float) -> np.ndarray:
    """The vertices of a face around its normal; of many, as many as a face may have."""
    normal = plane[:3]
    inside = np.flatnonzero(vertices @ normal + plane[3] > -near)
    middle = vertices[inside].mean(axis=0)
    e = vertices[inside[0]] - middle
    f = np.cross(normal, e)
    arms = vertices[inside] - middle
    ring = inside[np.argsort(np.arctan2(arms @ f, arms @ e))]
    if len(ring) > SIDES:
        ring = ring[np.linspace(0, len(ring), SIDES, endpoint=False).astype(int)]
    return ring


def _numbers(
    vertices: np.ndarray, core: np.ndarray, normals: np.ndarray, faces: list[np.ndarray]
) -> tuple[float, ...]:
    """The numbers in the order of hull.py."""
    at_vertex: list[list[int]] = [[] for _ in vertices]
    for k, ring in enumerate(faces):
        for i in ring:
            at_vertex[i].append(k)
    # a vertex that was left out of a face with many vertices
    for i, found in enumerate(at_vertex):
        if not found:
            found.append(int(np.argmax(normals @ (vertices[i] - vertices.mean(axis=0)))))
    head = 5 + 3 * (len(vertices) + len(core) + len(faces))
    starts_of_faces, starts_of_vertices = head, head + len(faces) + 1
    first = starts_of_vertices + len(vertices) + 1
    face_starts = first + np.cumsum([0, *map(len, faces)])
    vertex_starts = face_starts[-1] + np.cumsum([0, *map(len, at_vertex)])
    parts = (
        [len(vertices), len(core), len(faces), starts_of_faces, starts_of_vertices],
        *(part.ravel() for part in (vertices, core, normals)),
        face_starts,
        vertex_starts,
        *faces,
        *at_vertex,
    )
    return tuple(float(x) for x in np.concatenate([np.asarray(part, float) for part in parts]))
