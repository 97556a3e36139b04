"""Small meshes for the tests of finite elements, without a mesh generator."""

import itertools

import numpy as np

from kinetree.fe.cells import HEX_CORNERS, HEX_EDGES, TET_EDGES

MESHIO_TET_EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
assert [set(a) for a in MESHIO_TET_EDGES] == [set(b) for b in TET_EDGES]


def box(kind, sides, cells, bend=0.0):
    """A meshio mesh of a box from the origin; `bend` makes elements of unequal shape."""
    import meshio

    rows, points = {}, []
    count = 2 * np.array(cells)

    def node(place):
        key = tuple(int(x) for x in place)
        if key not in rows:
            rows[key] = len(points)
            points.append(np.array(key) / count * sides)
        return rows[key]

    found = []
    for cell in itertools.product(*map(range, cells)):
        first = 2 * np.array(cell)
        if kind.startswith("hex"):
            places = hexahedron(kind)
            found.append([node(first + p) for p in places])
            continue
        for steps in itertools.permutations(np.eye(3, dtype=int) * 2):
            corners = [first, first + steps[0], first + steps[0] + steps[1], first + sum(steps)]
            if np.linalg.det(np.diff(corners, axis=0)) < 0:
                corners[1], corners[2] = corners[2], corners[1]
                if np.linalg.det(np.array(corners[1:]) - corners[0]) < 0:
                    corners[1], corners[2] = corners[2], corners[1]
            edges = [(corners[i] + corners[j]) // 2 for i, j in MESHIO_TET_EDGES]
            found.append([node(p) for p in (corners + edges if kind == "tetra10" else corners)])
    X = np.array(points)
    X = X + bend * np.column_stack([X[:, 1], X[:, 2], X[:, 0]]) * (X / np.array(sides))
    return meshio.Mesh(X, {kind: np.array(found)})


def hexahedron(kind):
    """Places 0, 1, 2 along each axis of the nodes of a hexahedron."""
    middles = [0.5 * (HEX_CORNERS[a] + HEX_CORNERS[b]) for a, b in HEX_EDGES]
    faces = [(-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1), (0, 0, 0)]
    every = np.vstack([HEX_CORNERS, middles, faces]).astype(int) + 1
    return every[: {"hexahedron": 8, "hexahedron20": 20, "hexahedron27": 27}[kind]]
