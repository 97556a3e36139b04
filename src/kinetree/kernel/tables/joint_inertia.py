"""Inertia J of a joint coordinate: that of a rotor behind a gear of ratio n, J = n^2 J_rotor.

    T = 1/2 J v_k^2,      M_kk += J

The kinetic energy depends on v_k alone, so f has no further term. The gyroscopic moments of the
rotor, smaller by the factor n, are left out. The numbers of a joint precede its other numbers in the
pool.
"""

import numpy as np

from ..decorators import inline
from .records import Tables


def joint_inertia_places(tables: Tables) -> np.ndarray:
    """Index in the pool of J of every degree of freedom."""
    found = np.zeros(len(tables.dof_parent), np.int64)
    for link in tables.links.view(np.ndarray)[1:]:
        iv, nv, first = int(link["iv"]), int(link["nv"]), int(link["first"])
        found[iv : iv + nv] = np.arange(first - nv, first)
    return found


def joint_inertias(tables: Tables) -> np.ndarray:
    """J of every degree of freedom."""
    return tables.pool[joint_inertia_places(tables)]


@inline
def joint_inertia(tables, link, k):
    """J of degree of freedom k, which belongs to the joint of this link."""
    return tables.pool[link.first + k - link.iv - link.nv]


@inline
def joint_inertia_energy(tables, v):
    """Sum of 1/2 J v^2 over all joint coordinates."""
    total = 0.0
    for i in range(1, tables.links.shape[0]):
        link = tables.links[i]
        for k in range(link.iv, link.iv + link.nv):
            total += 0.5 * joint_inertia(tables, link, k) * v[k] * v[k]
    return total
