"""The surface of a part: faces that belong to one element, as triangles."""

from __future__ import annotations

import numpy as np

from .part import Part

# triangles of a face with corners, then middles of edges
SPLITS = {
    3: [(0, 1, 2)],
    4: [(0, 1, 2), (0, 2, 3)],
    6: [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)],
    9: [(k, 4 + k, 8) for k in range(4)] + [(4 + k, (k + 1) % 4, 8) for k in range(4)],
    8: [(0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 7), (5, 6, 7)],
}


def outer_faces(part: Part) -> list[tuple[str, np.ndarray]]:
    """Faces of one element only, per kind of element, seen counterclockwise from outside."""
    every = [(e.cell.name, e.cell.corners, e.faces()) for e in part.elements]
    found = []
    for name, corners, faces in every:
        keys = np.sort(faces[:, : 3 if corners == 4 else 4], axis=1)
        _, first, counts = np.unique(keys, axis=0, return_index=True, return_counts=True)
        found.append((name, faces[np.sort(first[counts == 1])]))
    return found


def surface(part: Part) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the nodes on the surface, and triangles of them.

    A part without elements shows all its nodes and no triangles.
    """
    triangles = [
        faces[:, split]
        for _, faces in outer_faces(part)
        for split in SPLITS[faces.shape[1]]
        if len(faces)
    ]
    if not triangles:
        return np.arange(len(part.X)), np.zeros((0, 3), int)
    rows, found = np.unique(np.concatenate(triangles), return_inverse=True)
    return rows, found.reshape(-1, 3)
