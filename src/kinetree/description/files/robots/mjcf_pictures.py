"""Pictures of the shapes ("geoms") of an MjModel that its viewer shows by default: groups 0 to 2."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ....kernel.frames import Pose, quaternion_matrix
from ...look import Box, Cylinder, Outline, Sphere
from .pictures import triangles_at
from .robot import Picture

_HIDDEN = 3  # first group of shapes that are for contacts only


def pictures(mj: Any, body: int, meshes: bool) -> list[Picture]:
    """Pictures of the shapes of a body."""
    import mujoco

    first, found = int(mj.body_geomadr[body]), list[Picture]()
    kinds = mujoco.mjtGeom
    for g in range(first, first + int(mj.body_geomnum[body])):
        if mj.geom_group[g] >= _HIDDEN or mj.geom_rgba[g, 3] == 0.0:
            continue
        kind, (a, b, c) = int(mj.geom_type[g]), map(float, mj.geom_size[g])
        own = Pose(quaternion_matrix(mj.geom_quat[g]), mj.geom_pos[g].copy())
        paint = "#{:02x}{:02x}{:02x}".format(
            *(round(255 * min(max(float(x), 0.0), 1.0)) for x in mj.geom_rgba[g, :3])
        )
        if kind == kinds.mjGEOM_SPHERE:
            found.append(partial(_balls, own, (0.0,), a, paint))
        elif kind == kinds.mjGEOM_CAPSULE:
            found += [partial(_rod, own, b, a, paint), partial(_balls, own, (b,), a, paint)]
            found.append(partial(_balls, own, (-b,), a, paint))
        elif kind == kinds.mjGEOM_CYLINDER:
            found.append(partial(_rod, own, b, a, paint))
        elif kind == kinds.mjGEOM_BOX:
            found.append(partial(_box, own, (2 * a, 2 * b, 2 * c), paint))
        elif kind == kinds.mjGEOM_ELLIPSOID:
            corners, faces = _round_mesh()
            found.append(partial(triangles_at, own, corners * (a, b, c), faces, paint))
        elif kind == kinds.mjGEOM_MESH and meshes:
            found.append(partial(triangles_at, own, *_mesh(mj, int(mj.geom_dataid[g])), paint))
    return found


def _balls(own: Pose, at: tuple[float], radius: float, paint: str, X: Pose) -> Outline:
    placed = X @ own
    return Sphere(radius, at=placed.p + at[0] * placed.R[:, 2], paint=paint)


def _rod(own: Pose, half: float, radius: float, paint: str, X: Pose) -> Outline:
    placed = X @ own
    end = half * placed.R[:, 2]
    return Cylinder(placed.p - end, placed.p + end, radius, paint=paint)


def _box(own: Pose, sides: tuple[float, ...], paint: str, X: Pose) -> Outline:
    placed = X @ own
    return Box(sides, at=placed.p, rotation=placed.R, paint=paint)


def _mesh(mj: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Corners and triangles of a mesh, in the frame of its shape."""
    v, n = int(mj.mesh_vertadr[k]), int(mj.mesh_vertnum[k])
    f, m = int(mj.mesh_faceadr[k]), int(mj.mesh_facenum[k])
    return mj.mesh_vert[v : v + n].astype(float), mj.mesh_face[f : f + m].astype(int)


def _round_mesh(rings: int = 8, around: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Corners and triangles of a ball of radius one."""
    latitude = np.linspace(-0.5 * np.pi, 0.5 * np.pi, rings + 1)
    longitude = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    ring = np.stack([np.cos(longitude), np.sin(longitude), np.zeros(around)], axis=1)
    corners = np.concatenate([np.cos(a) * ring + np.array([0.0, 0.0, np.sin(a)]) for a in latitude])
    k = np.arange(rings * around)
    right = k - k % around + (k + 1) % around
    faces = np.concatenate(
        [np.stack([k, right, right + around], 1), np.stack([k, right + around, k + around], 1)]
    )
    return corners, faces
