"""Pictures of the links of a robot file: boxes, cylinders, spheres and meshes with colors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from ....errors import ModelError
from ....kernel.frames import Pose
from ....kernel.linalg import product
from ...look import Box, Cylinder, Mesh, Outline, Sphere
from ...mesh_files import read_mesh
from .robot import Picture
from .xml import Xml, pose_of, value, vector

READ = (".stl", ".obj")
_FAR = 6  # folders above the file in which "package://" is searched


class Pictures:
    """Outlines of links. Files that are missing or of another format are counted, not refused."""

    def __init__(self, root: Xml, folders: Sequence[Path], meshes: bool) -> None:
        self._folders, self._meshes = folders, meshes
        self._paints = {e.get("name"): _paint(e) for e in root.findall("material")}
        self._count: Counter[str] = Counter()
        self._read: dict[Path, tuple[np.ndarray, np.ndarray]] = {}

    def of(self, link: Xml, what: str) -> list[Picture]:
        """Pictures of the <visual> elements of a link."""
        found = (self._picture(e, f"{what}: visual") for e in link.findall("visual"))
        return [picture for picture in found if picture is not None]

    def notes(self) -> list[str]:
        """What is not drawn, and why."""
        return [f"not drawn: {n} meshes {why}" for why, n in sorted(self._count.items())]

    def _picture(self, e: Xml, what: str) -> Picture | None:
        """A function that draws the element in a frame with the pose X."""
        own, geometry = pose_of(e, what), e.find("geometry")
        shape = next(iter(geometry), None) if geometry is not None else None
        if shape is None:
            return None
        paint = self._paint_of(e.find("material"))
        if shape.tag == "mesh":
            return self._mesh(shape, own, paint, what)
        if shape.tag == "box":
            sides = vector(shape.get("size") or "", 3, f"{what}: size")
            return partial(_box, own, sides, paint) if min(sides) > 0.0 else None
        radius, length = (value(shape, key, 0.0, what) for key in ("radius", "length"))
        if radius <= 0.0 or shape.tag not in ("cylinder", "sphere"):
            return None
        return partial(_round, own, radius, length if shape.tag == "cylinder" else 0.0, paint)

    def _mesh(self, e: Xml, own: Pose, paint: str | None, what: str) -> Picture | None:
        if not self._meshes:
            return None
        path = self._found(e.get("filename") or "")
        if path is None:
            self._count["whose file is missing"] += 1
        elif path.suffix.lower() not in READ:
            self._count[f"in {path.suffix.lower() or 'unknown'} files"] += 1
        else:
            try:
                if path not in self._read:
                    self._read[path] = read_mesh(path)
            except ModelError:
                self._count["that cannot be read"] += 1
                return None
            scale = vector(e.get("scale") or "1 1 1", 3, f"{what}: scale")
            corners, triangles = self._read[path]
            if np.prod(scale) < 0.0:  # a mirrored mesh keeps its outside
                triangles = triangles[:, ::-1]
            return partial(triangles_at, own, corners * np.array(scale), triangles, paint)
        return None

    def _found(self, name: str) -> Path | None:
        """File of a mesh. The packages of "package://" are searched from the file upwards."""
        for scheme in ("package://", "model://"):
            if name.startswith(scheme):
                rest = Path(name[len(scheme) :])
                inside = Path(*rest.parts[1:])
                places = [
                    up / part
                    for folder in self._folders
                    for up in (folder, *list(folder.parents)[:_FAR])
                    for part in (rest, inside)
                ]
                break
        else:
            path = Path(name.removeprefix("file://"))
            places = [folder / path for folder in self._folders]
        return next((path for path in places if path.is_file()), None)

    def _paint_of(self, e: Xml | None) -> str | None:
        if e is None:
            return None
        return _paint(e) or self._paints.get(e.get("name"))


def _box(own: Pose, sides: list[float], paint: str | None, X: Pose) -> Outline:
    placed = X @ own
    return Box(sides, at=placed.p, rotation=placed.R, paint=paint)


def _round(own: Pose, radius: float, length: float, paint: str | None, X: Pose) -> Outline:
    """A cylinder along z, or a sphere if the length is zero."""
    placed = X @ own
    if length == 0.0:
        return Sphere(radius, at=placed.p, paint=paint)
    half = 0.5 * length * placed.R[:, 2]
    return Cylinder(placed.p - half, placed.p + half, radius, paint=paint)


def triangles_at(
    own: Pose, corners: np.ndarray, triangles: np.ndarray, paint: str | None, X: Pose
) -> Outline:
    """Triangles in a frame `own` of a link with the pose X."""
    placed = X @ own
    return Mesh(product(corners, placed.R.T) + placed.p, triangles, paint=paint)


def _paint(e: Xml) -> str | None:
    """Color of a material as "#rrggbb"; None if it has none."""
    color = e.find("color")
    words = (color.get("rgba") or "").split() if color is not None else []
    try:
        levels = [round(255 * min(max(float(w), 0.0), 1.0)) for w in words[:3]]
    except ValueError:
        return None
    return "#{:02x}{:02x}{:02x}".format(*levels) if len(levels) == 3 else None
