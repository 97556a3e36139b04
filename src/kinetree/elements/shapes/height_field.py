"""Height field: a surface z = h(x, y) of its marker over a grid, such as terrain.

h is the bicubic interpolation of Catmull and Rom, whose slopes are continuous. Its numbers in the
pool: counts and spacings of the grid along x and y, then the heights. Beyond the grid the surface goes
on as at its edge.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np

from ...core.checks import check
from ...core.quantities import Matrix, Metres
from ...errors import ModelError, short
from ...kernel.algebra.vec3 import dot, norm, rotate, rotate_t, scale, sub
from ...kernel.decorators import inline, internal_kernel
from .contract import Shape

HEAD = 4
ROUNDS = 40


@dataclass(frozen=True, eq=False)
class HeightField(Shape):
    """Surface z = h(x, y) over a grid, with the material below: terrain, a bumpy floor.

    Parameters
    ----------
    heights : array_like, shape (nx, ny)
        Heights (m) at the points of the grid; the first index counts along x. The middle of the grid
        is at the marker. Between the points the surface is smooth.
    spacing : float
        Distance of neighboring points along x and y (m).

    See Also
    --------
    kt.shapes.HalfSpace : A flat floor.
    kt.Contact : Contact between two shapes.

    Examples
    --------
    >>> import numpy as np
    >>> import kinetree as kt
    >>> x = np.linspace(-1.0, 1.0, 21)
    >>> kt.shapes.HeightField(0.1 * np.cos(3.0 * x)[:, None] + 0.0 * x, spacing=0.1)
    HeightField(21 x 21 points, spacing=0.1)
    """

    heights: Matrix
    spacing: Metres

    kind = "height-field"

    def __post_init__(self) -> None:
        check(self, "spacing", positive=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # of masked values, which would become nan
                h = np.array(self.heights, float)
        except Exception:  # of an object that only claims to be an array
            h = np.zeros(0)
        if h.ndim != 2 or min(h.shape) < 2 or not np.isfinite(h).all():
            raise ModelError(
                "HeightField: heights must be finite numbers in at least two rows of at least two "
                f"columns, got {short(self.heights)}."
            )
        h.setflags(write=False)
        object.__setattr__(self, "heights", h)

    def __repr__(self) -> str:
        nx, ny = self.heights.shape
        return f"HeightField({nx} x {ny} points, spacing={self.spacing:g})"

    @property
    def numbers(self) -> tuple[float, ...]:
        nx, ny = self.heights.shape
        return float(nx), float(ny), self.spacing, 0.0, *map(float, self.heights.ravel())

    @property
    def thickness(self) -> float:
        return math.inf

    @property
    def reach(self) -> float:
        return 0.0

    def mirrored(self, S: np.ndarray) -> tuple[HeightField, np.ndarray | None]:
        if S[2] < 0.0:
            raise ModelError(
                "a height field cannot be mirrored in a plane of z: its material would lie above. "
                "Give this contact in the file that uses the assembly."
            )
        h = self.heights[:: int(S[0]), :: int(S[1])]
        return HeightField(h, self.spacing), None


@inline
def height(tables, at, i, j):
    nx, ny = int(tables.pool[at]), int(tables.pool[at + 1])
    i, j = max(0, min(i, nx - 1)), max(0, min(j, ny - 1))
    return tables.pool[at + HEAD + i * ny + j]


@inline
def cubic(a, b, c, d, s):
    """Value and two derivatives between b and c."""
    e, f, g = 0.5 * (c - a), 0.5 * (2.0 * a - 5.0 * b + 4.0 * c - d), 0.5 * (3.0 * (b - c) + d - a)
    return b + s * (e + s * (f + s * g)), e + s * (2.0 * f + 3.0 * s * g), 2.0 * f + 6.0 * s * g


@internal_kernel
def surface(tables, at, x, y):
    """h and its derivatives: h, h_x, h_y, h_xx, h_xy, h_yy."""
    nx, ny, d = int(tables.pool[at]), int(tables.pool[at + 1]), tables.pool[at + 2]
    u, v = x / d + 0.5 * (nx - 1), y / d + 0.5 * (ny - 1)
    u, v = max(-1.0, min(u, float(nx))), max(-1.0, min(v, float(ny)))
    i, j = int(u + 2.0) - 2, int(v + 2.0) - 2  # floor
    s, t = u - i, v - j
    row = (along(tables, at, i - 1, j, t), along(tables, at, i, j, t))
    row2 = (along(tables, at, i + 1, j, t), along(tables, at, i + 2, j, t))
    h = cubic(row[0][0], row[1][0], row2[0][0], row2[1][0], s)
    h_v = cubic(row[0][1], row[1][1], row2[0][1], row2[1][1], s)
    h_vv = cubic(row[0][2], row[1][2], row2[0][2], row2[1][2], s)
    d2 = d * d
    return h[0], h[1] / d, h_v[0] / d, h[2] / d2, h_v[1] / d2, h_vv[0] / d2


@inline
def along(tables, at, i, j, t):
    return cubic(
        height(tables, at, i, j - 1),
        height(tables, at, i, j),
        height(tables, at, i, j + 1),
        height(tables, at, i, j + 2),
        t,
    )


@internal_kernel
def nearest(tables, at, R, p, x):
    """Signed distance of a point from the surface, and the outward normal, by Newton's method.

    The gradient of |(a, b, h) - u|^2 / 2 vanishes at the foot (a, b):
    (a - u_x) + (h - u_z) h_x = 0, the same for b.
    """
    u = rotate_t(R, sub(x, p))
    a, b = u[0], u[1]
    for _ in range(ROUNDS):
        h, hx, hy, hxx, hxy, hyy = surface(tables, at, a, b)
        e = h - u[2]
        fa, fb = a - u[0] + e * hx, b - u[1] + e * hy
        A, B, C = 1.0 + hx * hx + e * hxx, hx * hy + e * hxy, 1.0 + hy * hy + e * hyy
        if A <= 0.1 or A * C - B * B <= 0.1:  # far from the surface: a step that always leads down
            A, B, C = 1.0 + hx * hx + abs(e * hxx), 0.0, 1.0 + hy * hy + abs(e * hyy)
        determinant = A * C - B * B
        da, db = (C * fa - B * fb) / determinant, (A * fb - B * fa) / determinant
        a, b = a - da, b - db
        if abs(da) + abs(db) <= 1e-15 * (abs(a) + abs(b)):
            break
    h, hx, hy, _, _, _ = surface(tables, at, a, b)
    normal = rotate(R, scale(1.0 / math.sqrt(1.0 + hx * hx + hy * hy), (-hx, -hy, 1.0)))
    way = rotate(R, (u[0] - a, u[1] - b, u[2] - h))
    return math.copysign(norm(way), dot(way, normal)), normal
