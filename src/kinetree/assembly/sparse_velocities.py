"""Initial velocities of large models by sparse algebra.

The result is used only where it satisfies everything that was requested. Otherwise the dense
functions of `velocities.py` compute the velocities, or raise the error that explains the
contradiction.
"""

from __future__ import annotations

import numpy as np

from ..kernel.linalg import product
from .sparse_system import SparseSystem

_LEAST = 1e-6  # weight of |v|^2 against that of given body velocities
_GIVEN = 1e4  # weight of given joint speeds
_ROUNDS = 30
_MET = 1e-10  # relative to the largest speed: deviation that counts as none


def least_velocities(
    system: SparseSystem,
    nu: np.ndarray,
    J: dict[int, tuple[np.ndarray, np.ndarray]],
    given: dict[int, float],
) -> np.ndarray | None:
    """v with G v = nu, given speeds exactly, J v ~ Y of bodies, and otherwise as small as possible;
    None if the iteration does not satisfy them.

        v <- argmin |J v - Y|^2 + w |S v - s|^2 + e |v - v_before|^2     s.t. G v = nu
        s <- s + (given - S v)

    J holds per body the point (from O) and the (6,) target with NaN where free.
    """
    natural = system.natural
    if not J and not any(given.values()) and not nu.any():
        return np.zeros(len(natural))
    wanted = np.zeros(len(natural))
    wanted[list(given)] = _GIVEN
    aims = np.array([given.get(k, 0.0) for k in range(len(natural))])
    system.redundant_rows()
    inertias, push = _targets(system, J)
    system.set_metric(natural**2 * (_LEAST + wanted), inertias if J else None)
    v, s = np.zeros_like(natural), aims.copy()
    for _ in range(_ROUNDS):
        before = v
        v = system.solve(push + natural**2 * (wanted * s + _LEAST * v), nu)
        s = s + np.where(wanted > 0.0, aims - v, 0.0)
        change = np.abs((v - before) * natural).max(initial=0.0)
        if change <= _MET * 1e-3 * np.abs(v * natural).max(initial=0.0):
            break
    sizes = v * natural, aims * natural, nu / system.length
    size = max(np.abs(part).max(initial=0.0) for part in sizes)
    met = np.abs(system.row_rates(v) - nu).max(initial=0.0) <= _MET * system.length * size
    met &= np.abs(((aims - v) * natural)[wanted > 0.0]).max(initial=0.0) <= _MET * size
    return v if met else None


def _targets(
    system: SparseSystem, J: dict[int, tuple[np.ndarray, np.ndarray]]
) -> tuple[np.ndarray, np.ndarray]:
    """The packed 6x6 matrix of |J v - Y|^2 per body in natural units, and J^T Y as a generalized
    force.
    """
    links, hinges = system.tables.links, system.work.dofs["h"]
    inertias, carried = np.zeros((len(links), 21)), np.zeros((len(links), 6))
    scale = np.array([1.0, 1.0, 1.0, *[1.0 / system.length] * 3])
    for i, (arm, target) in J.items():
        map_ = np.eye(6)
        x, y, z = arm
        map_[3:, :3] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]  # v = v_O + w x arm
        rows = (scale[:, None] * map_)[np.isfinite(target)]
        P = product(rows.T, rows)
        inertias[i] = np.concatenate(
            [P[:3, :3][np.triu_indices(3)], P[:3, 3:].ravel(), P[3:, 3:][np.triu_indices(3)]]
        )
        carried[i] = product(rows.T, (scale * target)[np.isfinite(target)])
    push = np.zeros(len(system.natural))
    for i in range(len(links) - 1, 0, -1) if J else ():
        first, count = int(links[i]["iv"]), int(links[i]["nv"])
        push[first : first + count] = product(np.asarray(hinges[first : first + count]), carried[i])
        if links[i]["parent"] > 0:
            carried[links[i]["parent"]] += carried[i]
    return inertias, push
