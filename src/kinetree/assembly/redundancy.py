"""Equations that repeat what others say: in the present position, or wherever the machine moves from it."""

from __future__ import annotations

import numpy as np

from .large import LargeSystem
from .large_start import surely_regular
from .singular import natural_jacobian, nearby_rank, singularity_at, turning
from .system import System


def redundancy(system: System) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Rank of G at the present position and, per joint or constraint, how many of its equations are redundant."""
    if isinstance(system, LargeSystem):
        rank, found = system.spare_rows()
        return rank, tuple(found.items())
    basis: list[np.ndarray] = []
    spare: dict[str, int] = {}
    G = system.jacobian() / system.natural  # every entry a length; the machine's size is what rounding is measured against
    for row, owner in zip(G, system.compiled.row_owner):  # in order, so the last joint of a loop carries the excess
        left = row.copy()
        for _ in range(2):
            for b in basis:
                left -= (b @ left) * b
        size = max(float(np.linalg.norm(row)), 1e-3 * system.length)
        if np.linalg.norm(left) > max(1e-8 * size, 20.0 * system.absorbed):
            basis.append(left / np.linalg.norm(left))
        else:
            spare[owner] = spare.get(owner, 0) + 1
    return len(basis), tuple(spare.items())


def lasting_redundancy(system: System, q: np.ndarray, x: np.ndarray) -> tuple[int, tuple[tuple[str, int], ...], str]:
    """Rank of G near a position, the equations redundant also there, and the sentence of a change point, if it is one.

    An equation that depends on those before it only here gains rank to first order as the machine moves.
    """
    if isinstance(system, LargeSystem) and surely_regular(system, q, x):
        system.values(system.t, q, x)
        return *redundancy(system), ""
    found = singularity_at(system, q, x)
    if not found.singular:
        system.values(system.t, q, x)
        return *redundancy(system), ""
    G, rank = natural_jacobian(system, q, x), 0
    spare: dict[str, int] = {}
    T = max((turning(system, q, x, n) for n in found.freedoms_here), key=lambda T: nearby_rank(G, T))
    for k, owner in enumerate(system.compiled.row_owner, 1):
        before, rank = rank, nearby_rank(G[:k], T[:k])
        if rank == before:
            spare[owner] = spare.get(owner, 0) + 1
    return rank, tuple(spare.items()), str(found)
