"""Shapes of bodies: the user's, those of the mass properties, or from the attachment points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..description.body import Body
from ..description.look import PAINTS, Box, Cylinder, Mesh, Outline, Plate, Sphere
from ..description.model import Model

SLENDER, LINK, BALL = 0.03, 0.034, 0.075  # radii relative to the model size
# width over both cheek plates of a body; neighboring bodies fit inside each other
CHEEKS = (0.11, 0.145)


def attached(model: Model) -> dict[str, list[np.ndarray]]:
    """Attachment points and named points of each body, in its axes."""
    found: dict[str, list[np.ndarray]] = {name: [] for name in ("ground", *model.bodies)}
    joints = [j for j in model.joints.values() if j.joint.cut]
    for marker in (m for j in joints for m in (j.F, j.M)):
        found[marker.body.name].append(marker.X_Bm.p)
    for marker in (m for e in model.with_markers for m in e.markers):
        found[marker.body.name].append(marker.X_Bm.p)
    for name, body in model.bodies.items():
        found[name] += [
            np.asarray(p, float) for p in (*body.properties.ends.values(), *body.points.values())
        ]
    return found


def shapes(
    body: Body, points: list[np.ndarray], size: float, k: int, touching: tuple[Outline, ...] = ()
) -> tuple[Outline, ...]:
    """The outlines of a body: its own, those of its shapes for contact, or that of its mass
    properties; slender ones have a radius relative to the model size.
    """
    own = (body.properties.outline,) if body.properties.outline else ()
    known = body.look or touching or own
    return tuple(_filled(shape, size) for shape in known) or _from_points(body, points, size, k)


def _filled(shape: Outline, size: float) -> Outline:
    if isinstance(shape, Cylinder) and shape.radius is None:
        return replace(shape, radius=SLENDER * size, round=0.9 * SLENDER * size)
    return shape


def _from_points(body: Body, points: list[np.ndarray], size: float, k: int) -> tuple[Outline, ...]:
    """A rod between two points, cheek plates over points of a plane, otherwise a star from the mass
    center.
    """
    com = body.properties.com
    P = _distinct([*points, com] if len(_distinct(points, size)) < 2 else points, size)
    if len(P) < 2:
        return (Sphere(BALL * size, com),) if body.properties.mass > 0.0 else ()
    _, spread, axes = np.linalg.svd(P - P.mean(axis=0))
    spread = np.concatenate([spread, np.zeros(3)])
    if spread[1] < 0.02 * spread[0]:
        along = (P - P[0]) @ axes[0]
        ball = (Sphere(BALL * size, com),) if len(_distinct(points, size)) < 2 else ()
        return (_rod(P[along.argmin()], P[along.argmax()], LINK * size), *ball)
    if spread[2] < 0.02 * spread[0]:
        return _cheeks(P, axes, size, k)
    return tuple(_rod(com, p, SLENDER * size) for p in P if np.linalg.norm(p - com) > 1e-3 * size)


def _rod(a, b, radius: float) -> Cylinder:
    return Cylinder(a, b, radius, round=0.9 * radius)


def _cheeks(P: np.ndarray, axes: np.ndarray, size: float, k: int) -> tuple[Plate, ...]:
    """Two plates over the convex hull of the points, with a gap in which other parts are
    visible.
    """
    from scipy.spatial import ConvexHull  # slow to import

    flat = (P - P.mean(axis=0)) @ axes[:2].T
    ring = P[ConvexHull(flat).vertices]
    normal = np.cross(axes[0], axes[1])
    wide, sheet = CHEEKS[k % 2] * size, 0.024 * size
    return tuple(
        Plate(ring + side * 0.5 * (wide - sheet) * normal, sheet, 0.042 * size)
        for side in (-1.0, 1.0)
    )


def _distinct(points, size: float) -> np.ndarray:
    found: list[np.ndarray] = []
    for p in points:
        if all(np.linalg.norm(p - q) > 1e-3 * size for q in found):
            found.append(np.asarray(p, float))
    return np.array(found).reshape(-1, 3)


def reach(shape: Outline) -> np.ndarray:
    """Points and radii (n, 4) that enclose an outline."""
    if isinstance(shape, Cylinder):
        points, r = np.array([shape.a, shape.b]), max(shape.radii)
    elif isinstance(shape, Sphere):
        points, r = np.array([shape.at]), shape.radius
    elif isinstance(shape, Box):
        signs = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        points, r = shape.at + (signs * shape.sides) @ shape.rotation.T, 0.0
    elif isinstance(shape, Plate):
        points, r = shape.ring, shape.round + 0.5 * shape.thickness
    elif isinstance(shape, Mesh):
        low, high = shape.corners.min(axis=0), shape.corners.max(axis=0)
        points = np.array([[(low, high)[k >> i & 1][i] for i in range(3)] for k in range(8)])
        r = 0.0
    else:
        raise TypeError(f"no reach is known of {type(shape).__name__}")
    return np.column_stack([points, np.full(len(points), r)])


def painted(shape: Outline, otherwise: str) -> str:
    """The paint of a shape as "#rrggbb", or that of the body."""
    return PAINTS.get(shape.paint, shape.paint) if shape.paint else otherwise
