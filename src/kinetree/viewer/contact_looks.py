"""Outlines of the shapes for contact, and the moving points at which contacts act."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..description.look import Box, Cylinder, Mesh, Outline, Plate, Sphere
from ..description.model import Model
from ..elements.forces.contact_law import ContactLaw
from ..elements.shapes import Ball, Capsule, HalfSpace, HeightField, Hull, Profile, Shape
from ..elements.shapes import Box as BoxShape
from ..elements.shapes import Cylinder as CylinderShape
from ..kernel.frames import Pose

LEVEL = 1e-9  # of the normal of a floor that is drawn as such


def placed_shapes(model: Model, body: str) -> Iterator[tuple[Shape, Pose]]:
    """The shapes on a body, each once, with their poses in its axes."""
    seen: list[tuple[Shape, Pose]] = []
    for element in model.contacts.values():
        for shape, marker in zip(element.spec.shapes or (), element.markers):
            known = any(
                one == shape
                and np.array_equal(X.R, marker.X_Bm.R)
                and np.array_equal(X.p, marker.X_Bm.p)
                for one, X in seen
            )
            if marker.body.name == body and not known:
                seen.append((shape, marker.X_Bm))
                yield shape, marker.X_Bm


def contact_outlines(model: Model, body: str, size: float) -> tuple[Outline, ...]:
    """Outlines of the shapes on a body."""
    return tuple(
        outline for shape, X in placed_shapes(model, body) for outline in _outlines(shape, X, size)
    )


def _outlines(shape: Shape, X: Pose, size: float) -> list[Outline]:
    z = X.R[:, 2]
    match shape:
        case Ball():
            return [Sphere(shape.radius, X.p)]
        case BoxShape():
            return [Box(shape.sides, X.p, X.R)]
        case CylinderShape():
            half = 0.5 * shape.length * z
            return [Cylinder(X.p - half, X.p + half, shape.radius)]
        case Capsule():
            half = 0.5 * shape.length * z
            ends = [Sphere(shape.radius, X.p + s * half) for s in (-1.0, 1.0)]
            return [Cylinder(X.p - half, X.p + half, shape.radius), *ends]
        case Hull():
            return [_mesh(shape.points, shape.triangles, X)]
        case Profile():
            flat = shape.outline()
            ring = np.column_stack([flat, np.zeros(len(flat))])
            return [Plate(X.p + ring @ X.R.T, shape.width)]
        case HeightField():
            return [_mesh(*_grid(shape), X)]
        case HalfSpace() if z[2] < 1.0 - LEVEL:
            return [Box((size, size, 0.01 * size), X.p - 0.005 * size * z, X.R)]
    return []


def _mesh(corners: np.ndarray, triangles: np.ndarray, X: Pose) -> Mesh:
    return Mesh(X.p + corners @ X.R.T, triangles)


def _grid(shape: HeightField) -> tuple[np.ndarray, np.ndarray]:
    nx, ny = shape.heights.shape
    x, y = (shape.spacing * (np.arange(n) - 0.5 * (n - 1)) for n in (nx, ny))
    X, Y = np.meshgrid(x, y, indexing="ij")
    k = np.arange(nx * ny).reshape(nx, ny)
    a, b, c, d = (part.ravel() for part in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    triangles = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    return np.stack([X, Y, shape.heights], axis=-1).reshape(-1, 3), triangles


def contact_point(sol, name: str, rows: np.ndarray) -> np.ndarray | None:
    """Frames (nt, 7) at the point of a contact; None if the law has no such reading."""
    if not isinstance(sol.model.forces[name].spec, ContactLaw):
        return None
    labels = [label for label, _ in sol.model.forces[name].spec.readings]
    if "point_x" not in labels:
        return None
    points = np.column_stack([sol[f"{name}.point_{axis}"][rows] for axis in "xyz"])
    upright = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(points), 4))
    return np.hstack([points, upright])
