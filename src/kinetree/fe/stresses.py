"""Stresses at the nodes: the continuous field that is nearest to that of the elements.

minimize int (N s - sigma)^2  =>  (int N N^T) s = int N sigma
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .elements import scattered
from .loads import Load
from .part import Part

CHECKED = 3  # modes of which the error of the mesh is estimated


def smoothing(part: Part) -> tuple[Any, Callable[[np.ndarray], np.ndarray]]:
    """int N N^T, and a function that solves with it."""
    from scipy.sparse.linalg import splu

    blocks = [block for e in part.elements for block in e.volume_matrix()]
    volumes = scattered(blocks, len(part.X)).tocsc()
    factors = splu(
        volumes,
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    return volumes, factors.solve


def stress_loads(part: Part, u: np.ndarray) -> np.ndarray:
    """(N, 6, k): int N sigma of displacements u (N, 3, k)."""
    total = np.zeros((len(u), 6, u.shape[2]))
    for e in part.elements:
        total += e.stress_loads(u)
    return total


def nodal_stresses(
    part: Part, shapes: np.ndarray, loads: Mapping[str, Load], skin: np.ndarray
) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """Stresses of the shapes (skin, 6, n) and of the loads (loads, skin, 6) at the nodes of the
    surface; and the estimated errors of the first frequencies by the mesh.
    """
    size, n = len(part.X), shapes.shape[2]
    volumes, solve = smoothing(part)
    right = stress_loads(part, shapes)
    nodal = solve(right.reshape(size, -1)).reshape(size, 6, n)
    of_loads = np.zeros((len(loads), size, 6))
    for k, load in enumerate(loads.values()):
        if load.kind == "heating":
            field = solve(np.sum([e.thermal_loads() for e in part.elements], axis=0))
            of_loads[k, :, :3] = -field[:, None]
    return (
        np.ascontiguousarray(nodal[skin]),
        np.ascontiguousarray(of_loads[:, skin]),
        mesh_errors(part, shapes[:, :, :CHECKED], right[:, :, :CHECKED], volumes),
    )


def mesh_errors(part: Part, shapes: np.ndarray, right: np.ndarray, volumes: Any) -> list[float]:
    """Estimated relative errors of frequencies: half of those of the energies.  [Zienkiewicz1987]

    The smooth stresses are linear between corners: a field with all nodes follows the jumps too well.
    """
    from scipy.sparse.linalg import splu

    B = between_corners(part)
    coarse = splu((B.T @ volumes @ B).tocsc()).solve(B.T @ right.reshape(len(right), -1))
    smooth = (B @ coarse).reshape(right.shape)
    gap, own = np.sum([e.stress_gap(shapes, smooth) for e in part.elements], axis=0)
    return [float(x) for x in 0.5 * gap / own]


def between_corners(part: Part) -> Any:
    """(N, corners): a field that is linear between the corners of the elements."""
    import scipy.sparse as sp

    size = len(part.X)
    parents = sp.lil_matrix((size, size))
    for e in part.elements:
        corners = e.nodes[:, : e.cell.corners]
        parents[np.unique(corners), np.unique(corners)] = 1.0
        for node, around in e.cell.middles.items():
            for corner in around:
                parents[e.nodes[:, node], corners[:, corner]] = 1.0 / len(around)
    B = parents.tocsc()
    return B[:, np.diff(B.indptr) > 0].tocsr()
