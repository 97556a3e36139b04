"""Bodies that have all rigid motions, for the order of elimination (elimination_order.py)."""

from __future__ import annotations

import numpy as np

from ...elements.joints.catalogue import IN_PLANE, KIND
from ...kernel.tables.records import Tables

_PLANAR = KIND[IN_PLANE.kind]
PARALLEL = 1e-12  # difference of normals that is rounding


def free_bodies(tables: Tables) -> np.ndarray:
    """Per link, whether its joint gives it all rigid motions relative to the ground.

    If all bodies move in one plane, these are the three motions in it.
    """
    links = tables.links.view(np.ndarray)
    free = (links["parent"] == 0) & (links["nv"] == 6)
    moving = links["nv"] > 0
    planar = moving & (links["parent"] == 0) & (links["kind"] == _PLANAR)
    if not planar.any() or not (planar == moving).all():
        return free
    normals = links["R_PF"][planar].reshape(-1, 3, 3)[:, :, 2]
    return planar if np.abs(normals - normals[0]).max() < PARALLEL else free
