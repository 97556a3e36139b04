"""Ties of markers to nodes: rigid (RBE2) or to the mean motion of the nodes (RBE3).

    u = T y        y: free nodes and the six motions of each rigid marker
    d_m = C_m^T y  motion of marker m: travel, then turn

A rigid marker has its six unknowns in y. A mean marker has the motion that fits its nodes best:
C^T = (R^T R)^-1 R^T with the rigid shapes R of the nodes about the marker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ModelError
from .part import Part
from .selections import chosen, interface_of


@dataclass(frozen=True)
class Tied:
    """The ties of all markers of a part."""

    names: tuple[str, ...]
    centers: np.ndarray  # (m, 3) m, in the axes of the mesh
    nodes: tuple[np.ndarray, ...]
    kinds: tuple[str, ...]
    T: Any  # sparse (3N, y)
    C: np.ndarray  # (m, y, 6)

    def rigid(self, center: np.ndarray, X: np.ndarray) -> np.ndarray:
        """(y, 6): rigid motions about a point."""
        shape = rigid_shape(X, center)
        free = self.T.shape[1] - 6 * self.kinds.count("rigid")
        out = np.empty((self.T.shape[1], 6))
        out[:free] = (self.T[:, :free].T @ shape)[:free]
        first = free
        for kind, at in zip(self.kinds, self.centers):
            if kind == "rigid":
                out[first : first + 6] = 0.0
                out[first : first + 3] = rigid_shape(at[None], center)
                out[first + 3 : first + 6, 3:] = np.eye(3)
                first += 6
        return out


def rigid_shape(X: np.ndarray, center: np.ndarray) -> np.ndarray:
    """(3N, 6): displacements of points by small travels and turns of a frame at `center`."""
    d = X - center
    out = np.zeros((len(X), 3, 6))
    out[:, [0, 1, 2], [0, 1, 2]] = 1.0
    out[:, 0, 4], out[:, 0, 5] = d[:, 2], -d[:, 1]
    out[:, 1, 3], out[:, 1, 5] = -d[:, 2], d[:, 0]
    out[:, 2, 3], out[:, 2, 4] = d[:, 1], -d[:, 0]
    return out.reshape(-1, 6)


def tie(part: Part, markers: Mapping[str, Any]) -> Tied:
    """Find the nodes of all markers and tie them."""
    import scipy.sparse as sp

    if not markers:
        raise ModelError(
            f"reduce: part {part.name!r} needs at least one marker, whose frame becomes that of the body."
        )
    names, centers, nodes, kinds = [], [], [], []
    for name, value in markers.items():
        one = interface_of(value, f"marker {name!r}")
        rows = chosen(part, one.selection, name)
        X = part.X[rows] / part.scale
        at = one.selection.center(X) if one.at is None else np.array(one.at)
        names.append(name)
        nodes.append(rows)
        kinds.append(one.tie)
        centers.append(at * part.scale)
        _refuse_lines(name, part, rows)
    _refuse_overlap(part, names, nodes, kinds)
    size = len(part.X)
    held = [n for n, kind in zip(nodes, kinds) if kind == "rigid"]
    free = np.setdiff1d(np.arange(size), np.concatenate([*held, np.zeros(0, int)]))
    rows = (3 * free[:, None] + np.arange(3)).ravel()
    blocks = [
        sp.csr_matrix((np.ones(len(rows)), (rows, np.arange(len(rows)))), (3 * size, len(rows)))
    ]
    for at, n, kind in zip(centers, nodes, kinds):
        if kind == "rigid":
            block = rigid_shape(part.X[n], at)
            r = np.repeat((3 * n[:, None] + np.arange(3)).ravel(), 6)
            entries = block.ravel(), (r, np.tile(np.arange(6), len(block)))
            blocks.append(sp.csr_matrix(entries, (3 * size, 6)))
    T = sp.hstack(blocks, format="csr")
    C, first = [], len(rows)
    for at, n, kind in zip(centers, nodes, kinds):
        if kind == "rigid":
            motion = np.zeros((T.shape[1], 6))
            motion[first : first + 6] = np.eye(6)
            first += 6
        else:
            R = rigid_shape(part.X[n], at)
            spread = np.zeros((3 * size, 6))
            spread[(3 * n[:, None] + np.arange(3)).ravel()] = R @ np.linalg.inv(R.T @ R)
            motion = T.T @ spread
        C.append(motion)
    return Tied(tuple(names), np.array(centers), tuple(nodes), tuple(kinds), T, np.array(C))


def _refuse_lines(name: str, part: Part, rows: np.ndarray) -> None:
    X = part.X[rows] - part.X[rows].mean(0)
    spread = np.linalg.svd(X, compute_uv=False) if len(X) > 2 else np.zeros(3)
    if len(rows) < 3 or spread[1] < 1e-6 * part.size:
        raise ModelError(
            f"marker {name!r} of part {part.name!r} is tied to {len(rows)} nodes on one line, which do "
            "not determine its rotation. Select at least three nodes that are not on a line."
        )


def _refuse_overlap(
    part: Part, names: list[str], nodes: list[np.ndarray], kinds: list[str]
) -> None:
    owner: dict[int, str] = {}
    for name, rows, kind in zip(names, nodes, kinds):
        for row in rows.tolist() if kind == "rigid" else ():
            if row in owner:
                raise ModelError(
                    f"markers {owner[row]!r} and {name!r} of part {part.name!r} share node "
                    f"{part.numbers[row]}, so that they cannot move independently. Make one of the "
                    'selections smaller, or tie one marker to the mean motion (tie="mean").'
                )
            owner[row] = name
