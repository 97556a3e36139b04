"""Convex hull of points, such as the vertices of a mesh.

Its numbers in the pool, after the five of `HEAD`:

    vertices, vertices of the core, normals of the faces (3 each)
    start of the list of vertices of every face, and the end of the last one
    start of the list of faces at every vertex, and the end of the last one
    the vertices of the faces, in order; the faces at the vertices
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.quantities import Ring
from ...errors import ModelError, short
from ...kernel.algebra.vec3 import add, dot, rotate, rotate_t
from ...kernel.decorators import inline
from .contract import Shape
from .manifold import store_vertex
from .polytope import Polytope, polytope

HEAD = 5
VERTICES, CORE, FACES, FACE_LISTS, VERTEX_LISTS = range(HEAD)  # counts, and places of the lists


@dataclass(frozen=True, eq=False)
class Hull(Shape):
    """Convex hull of points in the frame of its marker.

    Parameters
    ----------
    points : array_like, shape (n, 3)
        Points (m), such as the vertices of a mesh. Points inside the hull do not matter.

    See Also
    --------
    kt.look.mesh_data : Reads the vertices of a mesh from a file.
    kt.Contact : Contact between two shapes.

    Examples
    --------
    >>> import kinetree as kt
    >>> wedge = [(0, 0, 0), (1, 0, 0), (1, 0, 0.5), (0, 1, 0), (1, 1, 0), (1, 1, 0.5)]
    >>> kt.shapes.Hull(wedge)
    Hull(6 vertices, 5 faces)
    """

    _internal = ("triangles",)
    points: Ring

    kind = "hull"

    def __post_init__(self) -> None:
        try:
            points = np.array(self.points, float)
        except (TypeError, ValueError):
            points = np.zeros(0)
        if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
            raise ModelError(
                f"Hull: points must be finite points (x, y, z) in rows, got {short(self.points)}."
            )
        points.setflags(write=False)
        object.__setattr__(self, "points", points)
        self._hull  # noqa: B018  # checks that the points span a volume

    def __repr__(self) -> str:
        return f"Hull({len(self._hull.vertices)} vertices, {len(self._hull.faces)} faces)"

    @cached_property
    def _hull(self) -> Polytope:
        return polytope(self.points)

    @property
    def numbers(self) -> tuple[float, ...]:
        return self._hull.numbers

    @property
    def thickness(self) -> float:
        return self._hull.radius

    @property
    def reach(self) -> float:
        return float(np.sqrt((self._hull.vertices**2).sum(axis=1).max()))

    @property
    def triangles(self) -> np.ndarray:
        """Triangles of the hull as indices of its points, for pictures."""
        from scipy.spatial import ConvexHull

        hull = ConvexHull(self.points)
        found = hull.simplices.copy()
        a, b, c = (self.points[found[:, k]] for k in range(3))
        inside = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
        found[inside] = found[inside][:, ::-1]
        return found


@inline
def vertex(tables, at, k):
    first = at + HEAD + 3 * k
    return tables.pool[first], tables.pool[first + 1], tables.pool[first + 2]


@inline
def farthest(tables, at, u, first, count):
    """Number of the vertex that lies farthest in the direction u."""
    best, reach = first, dot(vertex(tables, at, first), u)
    for k in range(first + 1, first + count):
        s = dot(vertex(tables, at, k), u)
        if s > reach:
            best, reach = k, s
    return best


@inline
def core(tables, at, R, p, d, inset):
    n = int(tables.pool[at + VERTICES])
    first, count = (n, int(tables.pool[at + CORE])) if inset > 0.0 else (0, n)
    return add(p, rotate(R, vertex(tables, at, farthest(tables, at, rotate_t(R, d), first, count))))


@inline
def normal_of(tables, at, k):
    n = int(tables.pool[at + VERTICES] + tables.pool[at + CORE])
    return vertex(tables, at, n + k)


@inline
def face(tables, at, R, p, d, out, row):
    """Of the faces at the farthest vertex, the one whose normal is nearest to d."""
    u = rotate_t(R, d)
    k = farthest(tables, at, u, 0, int(tables.pool[at + VERTICES]))
    lists = at + int(tables.pool[at + VERTEX_LISTS])
    best, most = -1, 0.0
    for i in range(int(tables.pool[lists + k]), int(tables.pool[lists + k + 1])):
        j = int(tables.pool[at + i])
        s = dot(normal_of(tables, at, j), u)
        if best < 0 or s > most:
            best, most = j, s
    lists = at + int(tables.pool[at + FACE_LISTS])
    first, last = int(tables.pool[lists + best]), int(tables.pool[lists + best + 1])
    for i in range(first, last):
        x = vertex(tables, at, int(tables.pool[at + i]))
        store_vertex(out, row + i - first, add(p, rotate(R, x)))
    return last - first


@inline
def axes(tables, at):
    return int(tables.pool[at + FACES])


@inline
def axis(tables, at, R, k, way):
    return rotate(R, normal_of(tables, at, k))


@inline
def rounding(tables, at):
    return 0.0
