"""Appearance of a body: outlines in body axes, for pictures only; the mass is given separately.

    m.body("boom", kt.mass(...), look=[kt.look.Box((2, 0.1, 0.2)), kt.look.mesh("boom.stl",
    scale=1e-3)])

Every outline takes `paint`, a color such as "#2f6fb0" or one of the names in PAINTS. By default the
outline has the color of its body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from ..core.checks import points, row
from ..core.quantities import (
    Axis,
    File,
    Matrix,
    Metres,
    Plain,
    Position,
    Ring,
    Rotation,
    Sides,
    StoredPosition,
    StoredRotation,
    UserClass,
)
from ..errors import ModelError, explains_arguments, no_such, short
from ..kernel.frames import axis_frame, number, numbers, rotation_matrix

PAINTS = {
    "steel": "#7b848f",
    "dark": "#363b42",
    "chrome": "#d5dae0",
    "grey": "#a9b1ba",
    "rubber": "#2b2e33",
    "red": "#b9483f",
    "glass": "#9fc4d8",
    "wood": "#a8794e",
    "yellow": "#e0a526",
    "earth": "#8d8273",
    "asphalt": "#82868c",
    "white": "#eceeee",
}
_POINTS, _LENGTHS = ("a", "b", "at"), ("radius", "inner", "top", "thickness", "round")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


_CHECKED: dict[type, list[str]] = {}


def _checked(kind: type[Outline]) -> list[str]:
    """Return the fields of an outline that have a check."""
    if kind not in _CHECKED:
        _CHECKED[kind] = [
            f.name for f in fields(kind) if f.name in _POINTS + _LENGTHS + ("rotation",)
        ]
    return _CHECKED[kind]


@dataclass(frozen=True, kw_only=True, eq=False)
class Outline(UserClass):
    """Base of the outlines.

    Parameters
    ----------
    paint : str, optional
        Color such as "#2f6fb0", or a name in `kt.look.PAINTS`. By default the color of the body.
    """

    paint: str | None = None

    def __post_init__(self) -> None:
        paint = self.paint
        if paint is not None and not (
            isinstance(paint, str) and (paint in PAINTS or _COLOUR.fullmatch(paint))
        ):
            raise no_such(
                "paint", self.paint, PAINTS, ' for an outline; or give a colour like "#2f6fb0"'
            )
        for name in _checked(type(self)):
            self._check(name, f"{type(self).__name__}: {name}")

    def _check(self, name: str, what: str) -> None:
        """Convert points to arrays and check lengths."""
        value = getattr(self, name)
        if name in _POINTS:
            object.__setattr__(self, name, numbers(value, 3, what))
        elif name == "rotation":
            object.__setattr__(self, name, rotation_matrix(value, what))
        elif value is not None:
            object.__setattr__(
                self,
                name,
                number(value, what, positive=name in ("radius", "thickness"), at_least_zero=True),
            )


@dataclass(frozen=True, eq=False)
class Cylinder(Outline):
    """Cylinder, tube or cone between two points.

    Parameters
    ----------
    a, b : (3,) array_like
        Ends of the axis in body axes (m).
    radius : float, optional
        Radius at `a` (m). By default it is chosen by the size of the model.
    inner : float, default 0.0
        Radius of a hole along the axis (m).
    top : float, optional
        Radius at `b` (m). By default it equals `radius`.
    round : float, optional
        Radius of the rounded rims (m).
    paint : str, optional
        Color such as "#2f6fb0", or a name in `kt.look.PAINTS`. By default the color of the body.

    See Also
    --------
    kt.look.Sphere : Ball.
    kt.look.Box : Box.

    Examples
    --------
    >>> import kinetree as kt
    >>> model = kt.Model("arm")
    >>> pin = kt.look.Cylinder((0, -0.1, 0), (0, 0.1, 0), radius=0.02, paint="steel")
    >>> arm = model.body("arm", kt.rod(mass=1.0, length=1.0), look=[pin])
    >>> len(arm.look)
    1
    """

    _internal = ("radii",)
    a: StoredPosition
    b: StoredPosition
    radius: Metres | None = None  # None: as slender as suits the machine
    inner: Metres = 0.0
    top: Metres | None = None  # radius at b; None: the same
    round: Metres | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not np.linalg.norm(self.b - self.a) > 0.0:
            raise ModelError(f"{type(self).__name__}: a and b are the same point {tuple(self.a)}.")
        if self.inner and not self.inner < (self.radius or 0.0):
            raise ModelError(
                f"{type(self).__name__}: inner {self.inner!r} must be less than radius "
                f"{self.radius!r}."
            )

    @property
    def radii(self) -> tuple[float, float]:
        """Radii at a and at b; zero where the radius is chosen by the picture."""
        radius = self.radius or 0.0
        return radius, radius if self.top is None else self.top


@dataclass(frozen=True, eq=False)
class Sphere(Outline):
    """Ball about a point.

    Parameters
    ----------
    radius : float
        Radius (m).
    at : (3,) array_like, default (0.0, 0.0, 0.0)
        Center in body axes (m).
    paint : str, optional
        Color such as "#2f6fb0", or a name in `kt.look.PAINTS`. By default the color of the body.

    See Also
    --------
    kt.look.Cylinder : Cylinder.

    Examples
    --------
    >>> import kinetree as kt
    >>> model = kt.Model("ball")
    >>> ball = model.body("ball", kt.mass(1.0), look=kt.look.Sphere(0.1, paint="red"))
    >>> len(ball.look)
    1
    """

    radius: Metres
    at: StoredPosition = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Box(Outline):
    """Box about a point.

    Parameters
    ----------
    sides : (3,) array_like
        Lengths along x, y and z (m).
    at : (3,) array_like, default (0.0, 0.0, 0.0)
        Center in body axes (m).
    rotation : array_like or (str, array_like), optional
        Rotation of the box: a 3x3 matrix, a quaternion (w, x, y, z), or ("zyx", angles). By default
        the sides are along the body axes.
    paint : str, optional
        Color such as "#2f6fb0", or a name in `kt.look.PAINTS`. By default the color of the body.

    See Also
    --------
    kt.look.Plate : Polygon with a thickness.

    Examples
    --------
    >>> import kinetree as kt
    >>> model = kt.Model("boom")
    >>> boom = model.body("boom", kt.mass(1.0), look=kt.look.Box((2.0, 0.1, 0.2), at=(1.0, 0, 0)))
    >>> len(boom.look)
    1
    """

    sides: Sides
    at: StoredPosition = (0.0, 0.0, 0.0)
    rotation: StoredRotation = None

    def __post_init__(self) -> None:
        super().__post_init__()
        sides = numbers(self.sides, 3, "Box: sides")
        if min(sides) <= 0.0:
            raise ModelError(f"Box: sides must be positive, got {tuple(sides.tolist())}.")
        object.__setattr__(self, "sides", sides)


@dataclass(frozen=True, eq=False)
class Plate(Outline):
    """Polygon in one plane, with a thickness.

    Parameters
    ----------
    ring : (n, 3) array_like
        Corners in order, in body axes (m); the edges must not cross.
    thickness : float
        Thickness (m).
    round : float, default 0.0
        Distance by which the outline is widened with rounded corners (m).
    paint : str, optional
        Color such as "#2f6fb0", or a name in `kt.look.PAINTS`. By default the color of the body.

    See Also
    --------
    kt.look.Box : Box.

    Examples
    --------
    >>> import kinetree as kt
    >>> plate = kt.look.Plate([(0, 0, 0), (1, 0, 0), (0, 0, 1)], thickness=0.02)
    >>> plate.ring.shape
    (3, 3)
    """

    _internal = ("normal",)
    ring: Ring
    thickness: Metres
    round: Metres = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        ring = np.array(
            [
                numbers(p, 3, "Plate: point")
                for p in row(self.ring, "Plate: ring", "points (x, y, z) in a list")
            ]
        )
        if len(ring) < 3:
            raise ModelError(f"Plate: give at least three points, got {len(ring)}.")
        object.__setattr__(self, "ring", ring)

    @property
    def normal(self) -> np.ndarray:
        """Unit normal of the plane, about which the ring is counterclockwise: the vector area
        of the polygon.
        """
        area = np.cross(self.ring, np.roll(self.ring, -1, axis=0)).sum(axis=0)
        return area / (np.linalg.norm(area) or 1.0)


@dataclass(frozen=True, eq=False)
class Mesh(Outline):
    """Triangles with common corners.

    Parameters
    ----------
    corners : (n, 3) array_like
        Corners in body axes (m).
    triangles : (m, 3) array_like of int
        Indices of the three corners of each triangle, counterclockwise seen from outside.
    paint : str, optional
        Color such as "#2f6fb0", or a name in `kt.look.PAINTS`. By default the color of the body.

    See Also
    --------
    kt.look.mesh : Read the triangles from a file.

    Examples
    --------
    >>> import kinetree as kt
    >>> mesh = kt.look.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    >>> mesh.triangles.shape
    (1, 3)
    """

    _internal = ("mirrored",)
    corners: Matrix = field(repr=False)
    triangles: Matrix = field(repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        corners, found = (
            points(self.corners, "Mesh: corners"),
            points(self.triangles, "Mesh: triangles"),
        )
        triangles = found.astype(int)
        if not len(triangles) or np.any(found != triangles):
            raise ModelError(
                "Mesh: triangles must be three whole numbers each, at least one triangle."
            )
        if triangles.min() < 0 or triangles.max() >= len(corners):
            wrong = triangles.min() if triangles.min() < 0 else triangles.max()
            raise ModelError(
                f"Mesh: a triangle names corner {wrong}, but there are {len(corners)}, counted "
                "from 0."
            )
        object.__setattr__(self, "corners", corners)
        object.__setattr__(self, "triangles", triangles)

    def mirrored(self, S: np.ndarray) -> Mesh:
        """Return points S p, with the corners in the opposite order, so that the outside stays
        outside.
        """
        return replace(
            self,
            corners=self.corners * S,
            triangles=self.triangles[:, ::-1] if np.prod(S) < 0.0 else self.triangles,
        )


@explains_arguments
def mesh(
    path: File,
    scale: Plain = 1.0,
    at: Position = (0.0, 0.0, 0.0),
    rotation: Rotation = None,
    paint: str | None = None,
) -> Mesh:
    r"""Read the triangles of an STL file (text or binary) or an OBJ file.

    Parameters
    ----------
    path : str or path-like
        Path of the file.
    scale : float, default 1.0
        Factor from the unit of the file to meters (1).
    at : (3,) array_like, default (0.0, 0.0, 0.0)
        Position of the origin of the file in body axes (m).
    rotation : array_like or (str, array_like), optional
        Rotation of the axes of the file in body axes: a 3x3 matrix, a quaternion (w, x, y, z), or
        ("zyx", angles). By default the axes are those of the body.
    paint : str, optional
        Color such as "#2f6fb0", or a name in `kt.look.PAINTS`. By default the color of the body.

    Returns
    -------
    Mesh
        The triangles.

    See Also
    --------
    kt.look.Mesh : Triangles from arrays.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import kinetree as kt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "one.obj"
    ...     written = path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    ...     mesh = kt.look.mesh(path, scale=1e-3)
    >>> print(mesh.corners.max())
    0.001
    """
    from .mesh_files import read_mesh

    corners, triangles = read_mesh(path)
    size = number(scale, "mesh: scale", positive=True)
    R, p = rotation_matrix(rotation, "mesh: rotation"), numbers(at, 3, "mesh: at")
    return Mesh(size * corners @ R.T + p, triangles, paint=paint)


@explains_arguments
def wheel(
    radius: Metres, width: Metres, axis: Axis = "y", at: Position = (0.0, 0.0, 0.0)
) -> tuple[Outline, ...]:
    """Draw a tyre on a rim with a hub and five bolts.

    Parameters
    ----------
    radius : float
        Radius of the tyre (m).
    width : float
        Width of the tyre (m).
    axis : str or (3,) array_like, default 'y'
        Wheel axis in body axes: "x", "y", "z", "-x", "-y", "-z" or a vector.
    at : (3,) array_like, default (0.0, 0.0, 0.0)
        Center in body axes (m).

    Returns
    -------
    tuple of Outline
        The outlines.

    See Also
    --------
    kt.look.Cylinder : Cylinder.

    Examples
    --------
    >>> import kinetree as kt
    >>> len(kt.look.wheel(radius=0.3, width=0.2))
    8
    """
    r, w = (
        number(radius, "wheel: radius", positive=True),
        number(width, "wheel: width", positive=True),
    )
    R, middle = axis_frame(axis, "wheel"), numbers(at, 3, "wheel: at")

    def solid(
        half: float, size: float, paint: str, aside: Any = (0.0, 0.0), **more: Any
    ) -> Cylinder:
        a, b = (middle + R @ (*aside, side * half * w) for side in (-1.0, 1.0))
        return Cylinder(a, b, size * r, paint=paint, **more)

    bolts = [
        solid(0.36, 0.06, "dark", (0.4 * r * np.cos(k), 0.4 * r * np.sin(k)))
        for k in np.arange(5) * 0.4 * np.pi
    ]
    return (
        solid(0.5, 1.0, "rubber", inner=0.62 * r, round=0.3 * min(w, 0.38 * r)),
        solid(0.3, 0.64, "grey"),
        solid(0.44, 0.2, "steel"),
        *bolts,
    )


LOOKS = (Cylinder, Sphere, Box, Plate, Mesh, mesh, wheel)


def outlines(look: Any, what: str) -> tuple[Outline, ...]:
    """Return the outlines of the argument `look`: none, one, or several."""
    if look is None:
        return ()
    if isinstance(look, Outline):
        return (look,)
    found: list[Outline] = []
    for item in look if isinstance(look, (list, tuple)) else [look]:
        if not isinstance(item, (Outline, tuple)):
            raise ModelError(
                f"{what}: look takes outlines such as kt.look.Box(sides) or kt.look.mesh(path), "
                f"got {short(item)}."
            )
        found += outlines(item, what) if isinstance(item, tuple) else [item]
    return tuple(found)
