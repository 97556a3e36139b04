"""What a body looks like: outlines in body axes, for pictures only; they have no mass.

    m.body("boom", kt.mass(...), look=[kt.look.Box((2, 0.1, 0.2)), kt.look.mesh("boom.stl",
    scale=1e-3)])

Every outline takes `paint`, a colour like "#2f6fb0" or one of the names in PAINTS; without it the
body has its own colour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace

import numpy as np

from ..core.checks import points, row
from ..core.quantities import Axis, File, Matrix, Metres, Plain, Position, Ring, Rotation, Sides
from ..errors import ModelError, no_such, short
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
    """Fields of an outline that are checked."""
    if kind not in _CHECKED:
        _CHECKED[kind] = [
            f.name for f in fields(kind) if f.name in _POINTS + _LENGTHS + ("rotation",)
        ]
    return _CHECKED[kind]


@dataclass(frozen=True, kw_only=True, eq=False)
class Outline:
    """Base of the outlines."""

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
        """Convert points to arrays and check that lengths are positive."""
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
    """From the point `a` to `b`; `round` is the radius of its rims. Hollow with `inner`, narrower
    at b with `top`.
    """

    a: Position
    b: Position
    radius: Metres | None = None  # None: chosen by the drawing
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
        """Radii at a and at b; zero if the drawing chooses them."""
        radius = self.radius or 0.0
        return radius, radius if self.top is None else self.top


@dataclass(frozen=True, eq=False)
class Sphere(Outline):
    """About the point `at`."""

    radius: Metres
    at: Position = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Box(Outline):
    """With sides (x, y, z) about the point `at`, turned by `rotation`."""

    sides: Sides
    at: Position = (0.0, 0.0, 0.0)
    rotation: Rotation = None

    def __post_init__(self) -> None:
        super().__post_init__()
        sides = numbers(self.sides, 3, "Box: sides")
        if min(sides) <= 0.0:
            raise ModelError(f"Box: sides must be positive, got {tuple(sides.tolist())}.")
        object.__setattr__(self, "sides", sides)


@dataclass(frozen=True, eq=False)
class Plate(Outline):
    """A polygon of points in one plane, any shape without crossings, with a thickness; its corners
    widened by `round`.
    """

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
        """Normal of the plane; the polygon runs counterclockwise about it. Direction of its vector
        area.
        """
        area = np.cross(self.ring, np.roll(self.ring, -1, axis=0)).sum(axis=0)
        return area / (np.linalg.norm(area) or 1.0)


@dataclass(frozen=True, eq=False)
class Mesh(Outline):
    """Triangles, as from a file: corners (n, 3), and three indices each."""

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
        """Mirrored points S p; the order of the corners is reversed to keep the outside outside."""
        return replace(
            self,
            corners=self.corners * S,
            triangles=self.triangles[:, ::-1] if np.prod(S) < 0.0 else self.triangles,
        )


def mesh(
    path: File,
    scale: Plain = 1.0,
    at: Position = (0.0, 0.0, 0.0),
    rotation: Rotation = None,
    paint: str | None = None,
) -> Mesh:
    """The triangles of an STL file (text or binary) or an OBJ file, scaled to metres and placed in
    body axes.
    """
    from .mesh_files import read_mesh

    corners, triangles = read_mesh(path)
    size = number(scale, "mesh: scale", positive=True)
    R, p = rotation_matrix(rotation, "mesh: rotation"), numbers(at, 3, "mesh: at")
    return Mesh(size * corners @ R.T + p, triangles, paint=paint)


def wheel(
    radius: Metres, width: Metres, axis: Axis = "y", at: Position = (0.0, 0.0, 0.0)
) -> tuple[Outline, ...]:
    """A tyre on a rim with a hub and five bolts."""
    r, w = (
        number(radius, "wheel: radius", positive=True),
        number(width, "wheel: width", positive=True),
    )
    R, middle = axis_frame(axis, "wheel"), numbers(at, 3, "wheel: at")

    def solid(half: float, size: float, paint: str, aside=(0.0, 0.0), **more) -> Cylinder:
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


def outlines(look, what: str) -> tuple[Outline, ...]:
    """Convert the argument `look` (None, one outline, or several) to a tuple."""
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
