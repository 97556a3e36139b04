"""The kinds of elements: shape functions, integration points, edges and faces.

Nodes are in the order of VTK, which meshio uses: corners, then middles of edges, then of faces and
of the volume. Points of tetrahedra are those of [Stroud1971].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

TET_EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
HEX_EDGES = (
    *((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)),
    *((0, 4), (1, 5), (2, 6), (3, 7)),
)
HEX_CORNERS = np.array(
    [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1)]
    + [(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)],
    float,
)
TET_FACES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))  # corners, counterclockwise from outside
HEX_FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))

HEX_MIDDLES = (24, 25, 22, 21, 23, 20)  # of these faces, with 27 nodes


@dataclass(frozen=True)
class Cell:
    """A kind of element: the name of meshio, its number of nodes, and the order of its shapes."""

    name: str
    nodes: int
    order: int
    words: str

    @property
    def is_tetrahedron(self) -> bool:
        return self.name.startswith("tetra")

    @property
    def corners(self) -> int:
        return 4 if self.is_tetrahedron else 8

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Pairs of corners between which the nodes after the corners lie."""
        every = TET_EDGES if self.is_tetrahedron else HEX_EDGES
        return every if self.order == 2 else ()

    @property
    def middles(self) -> dict[int, tuple[int, ...]]:
        """The corners in the middle of which each of the other nodes lies."""
        found: dict[int, tuple[int, ...]] = dict(enumerate(self.edges, self.corners))
        if self.name == "hexahedron27":
            found.update(zip(HEX_MIDDLES, HEX_FACES))
            found[26] = tuple(range(8))
        return found

    @property
    def faces(self) -> np.ndarray:
        """Nodes of each face: corners, then the middles of its edges, then its own middle."""
        rows = []
        edges = {frozenset(e): self.corners + k for k, e in enumerate(self.edges)}
        for face in TET_FACES if self.is_tetrahedron else HEX_FACES:
            pairs = zip(face, (*face[1:], face[0]))
            rows.append([*face, *(edges[frozenset(p)] for p in pairs if edges)])
        if self.name == "hexahedron27":
            rows = [[*row, middle] for row, middle in zip(rows, HEX_MIDDLES)]
        return np.array(rows)


CELLS = {
    cell.name: cell
    for cell in (
        Cell("tetra10", 10, 2, "quadratic tetrahedra"),
        Cell("hexahedron20", 20, 2, "quadratic hexahedra"),
        Cell("hexahedron27", 27, 2, "quadratic hexahedra"),
        Cell("tetra", 4, 1, "linear tetrahedra"),
        Cell("hexahedron", 8, 1, "linear hexahedra"),
    )
}
A, B = (5 + 3 * 5**0.5) / 20, (5 - 5**0.5) / 20


def _orbits(*given: tuple[float, tuple[float, ...]]) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights of a tetrahedron from weights and barycentric coordinates to permute."""
    from itertools import permutations

    points, weights = [], []
    for weight, coordinates in given:
        every = sorted(set(permutations(coordinates)))
        points += [c[1:] for c in every]
        weights += [weight / 6.0] * len(every)
    return np.array(points), np.array(weights)


@lru_cache
def points_of(name: str, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (q, 3) and weights (q,) that integrate polynomials of the degree exactly."""
    if not CELLS[name].is_tetrahedron:
        x, w = np.polynomial.legendre.leggauss(degree // 2 + 1)
        weights = np.array([a * b * c for a, b, c in product(w, w, w)])
        return np.array(list(product(x, x, x))), weights
    if degree <= 1:
        return np.full((1, 3), 0.25), np.array([1 / 6])
    if degree == 2:
        return _orbits((0.25, (A, B, B, B)))
    r = 15**0.5  # degree 5, 15 points
    one, other = (7 - r) / 34, (7 + r) / 34
    pair = (10 - 2 * r) / 40
    return _orbits(
        (16 / 135, (0.25,) * 4),
        ((2665 + 14 * r) / 37800, (1 - 3 * one, one, one, one)),
        ((2665 - 14 * r) / 37800, (1 - 3 * other, other, other, other)),
        (20 / 378, (0.5 - pair, 0.5 - pair, pair, pair)),
    )


def shape_functions(name: str, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """N (q, nodes) and its derivatives (q, nodes, 3) at points of the reference element."""
    if CELLS[name].is_tetrahedron:
        return _tetrahedron(points, CELLS[name].order)
    if name == "hexahedron27":
        return _lagrange(points)
    return _serendipity(points, CELLS[name].order)


def _tetrahedron(points: np.ndarray, order: int) -> tuple[np.ndarray, np.ndarray]:
    L = np.column_stack([1 - points.sum(1), points])
    dL = np.vstack([-np.ones(3), np.eye(3)])
    if order == 1:
        return L, np.broadcast_to(dL, (len(points), 4, 3))
    i, j = np.array(TET_EDGES).T
    N = np.hstack([L * (2 * L - 1), 4 * L[:, i] * L[:, j]])
    corners = (4 * L - 1)[:, :, None] * dL
    edges = 4 * (L[:, i, None] * dL[j] + L[:, j, None] * dL[i])
    return N, np.concatenate([corners, edges], axis=1)


def _serendipity(points: np.ndarray, order: int) -> tuple[np.ndarray, np.ndarray]:
    """Hexahedra with 8 or 20 nodes, at x_a:  N = 1/8 prod (1 + x x_a) (x . x_a - 2) at corners."""
    f = 1 + points[:, None, :] * HEX_CORNERS  # (q, 8, 3)
    df = HEX_CORNERS
    both = f[:, :, [1, 2, 0]] * f[:, :, [2, 0, 1]]
    N, dN = f.prod(2) / 8, df * both / 8
    if order == 1:
        return N, dN
    along = (points[:, None, :] * HEX_CORNERS).sum(2) - 2
    dN = dN * along[:, :, None] + N[:, :, None] * HEX_CORNERS
    N = N * along
    middles = 0.5 * (
        HEX_CORNERS[[e[0] for e in HEX_EDGES]] + HEX_CORNERS[[e[1] for e in HEX_EDGES]]
    )
    flat = middles == 0.0  # the direction of the edge
    x = points[:, None, :]
    g = np.where(flat, 1 - x * x, 1 + x * middles)
    dg = np.where(flat, -2 * x, middles)
    return (
        np.hstack([N, g.prod(2) / 4]),
        np.concatenate([dN, dg * g[:, :, [1, 2, 0]] * g[:, :, [2, 0, 1]] / 4], axis=1),
    )


def _lagrange(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Hexahedra with 27 nodes: products of parabolas."""
    faces = np.array([(-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)], float)
    middles = 0.5 * (
        HEX_CORNERS[[e[0] for e in HEX_EDGES]] + HEX_CORNERS[[e[1] for e in HEX_EDGES]]
    )
    at = np.vstack([HEX_CORNERS, middles, faces, np.zeros((1, 3))])
    x = points[:, None, :]
    f = np.where(at == 0, 1 - x * x, 0.5 * x * (x + at))
    df = np.where(at == 0, -2 * x, x + 0.5 * at)
    return f.prod(2), df * f[:, :, [1, 2, 0]] * f[:, :, [2, 0, 1]]
