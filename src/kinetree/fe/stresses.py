"""Stresses at the nodes: the continuous field that is nearest to that of the elements.

minimize int (N s - sigma)^2  =>  (int N N^T) s = int N sigma
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .elements import scattered
from .loads import Load
from .part import Part

CHECKED = 3  # modes of which the error of the mesh is estimated


def nodal_stresses(
    part: Part, shapes: np.ndarray, loads: Mapping[str, Load], skin: np.ndarray
) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """Stresses of the shapes (skin, 6, n) and of the loads (loads, skin, 6) at the nodes of the
    surface; and the estimated errors of the first frequencies by the mesh.
    """
    from scipy.sparse.linalg import splu

    size, n = len(part.X), shapes.shape[2]
    blocks = [block for e in part.elements for block in e.volume_matrix()]
    factors = splu(
        scattered(blocks, size).tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    right = np.sum([e.stress_loads(shapes) for e in part.elements], axis=0)
    nodal = factors.solve(right.reshape(size, -1)).reshape(size, 6, n)
    of_loads = np.zeros((len(loads), size, 6))
    for k, load in enumerate(loads.values()):
        if load.kind == "heating":
            field = factors.solve(np.sum([e.thermal_loads() for e in part.elements], axis=0))
            of_loads[k, :, :3] = -field[:, None]
    gap, own = np.zeros(min(n, CHECKED)), np.zeros(min(n, CHECKED))
    for e in part.elements:
        more = e.stress_gap(shapes[:, :, :CHECKED], nodal[:, :, :CHECKED])
        gap, own = gap + more[0], own + more[1]
    # energy is the square of the frequency
    return (
        np.ascontiguousarray(nodal[skin]),
        np.ascontiguousarray(of_loads[:, skin]),
        (0.5 * gap / own).tolist(),
    )
