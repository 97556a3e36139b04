"""Velocities that agree with the constraints, with the speeds the user gave, and else as small as can be.

    G v = nu,   S v = given joint speeds  (exactly if possible),   J v ~ given body velocities,   then least |v|
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import AssemblyError
from .system import System

_CUT = 1e-9  # relative size below which a singular value is zero


class Rates(NamedTuple):
    """Velocities and how well they fit."""

    v: np.ndarray
    error: float  # of the constraints, m/s
    missed: float  # largest deviation from what the user gave


def consistent_velocities(system: System, t: float, body_velocities: dict[int, np.ndarray], speeds: list) -> Rates:
    """`body_velocities`: body index -> (6,) target with NaN where free; `speeds`: (place, label, value)."""
    nv = system.compiled.size["nv"]
    G, nu = system.jacobian(), system.rates(t)
    S = np.array([system.speed_row(place, label) for place, label, _ in speeds]).reshape(len(speeds), nv)
    s = np.array([value for _, _, value in speeds], float)
    hard, right = np.vstack([G, S * system.length]), np.concatenate([nu, s * system.length])
    v, null = _solve(hard, right, system.length)
    soft = _misfit(hard, right, v)
    if soft > 1e-8 * (1.0 + np.abs(right).max(initial=0.0)):  # the given speeds contradict the loops: keep the loops
        v, null = _solve(G, nu, system.length)
        _refuse(system, G, nu, v)
        if len(s):
            v = v + null @ np.linalg.lstsq(S @ null, s - S @ v, rcond=_CUT)[0]
            null = null[:, :0]
    J, Y = _targets(system, body_velocities, nv)
    if len(Y) and null.shape[1]:
        v = v + null @ np.linalg.lstsq(J @ null, Y - J @ v, rcond=_CUT)[0]
    missed = max(_misfit(S, s, v), _misfit(J, Y, v))
    return Rates(v, _misfit(G, nu, v), missed)


def _targets(system: System, body_velocities: dict[int, np.ndarray], nv: int) -> tuple[np.ndarray, np.ndarray]:
    rows, values = [np.zeros((0, nv))], [np.zeros(0)]
    for i, target in body_velocities.items():
        wanted = np.isfinite(target)
        origin = system.work.bodies[i]["p"] + system.work.bodies[i]["R"].reshape(3, 3) @ system.compiled.X_BK[i].inverse.p
        rows.append(system.body_jacobian(i, origin)[wanted])
        values.append(target[wanted])
    return np.vstack(rows), np.concatenate(values)


def _solve(A: np.ndarray, b: np.ndarray, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Least-norm solution and null space; rows of nothing but rounding, against the machine's size, are none."""
    if not A.size:
        return np.zeros(A.shape[1]), np.eye(A.shape[1])
    U, s, Vt = np.linalg.svd(A)
    rank = int(np.sum(s > _CUT * max(s[0], 1e-3 * length)))
    return Vt[:rank].T @ ((U[:, :rank].T @ b) / s[:rank]), Vt[rank:].T


def _misfit(A: np.ndarray, b: np.ndarray, v: np.ndarray) -> float:
    return float(np.abs(A @ v - b).max(initial=0.0))


def _refuse(system: System, G: np.ndarray, nu: np.ndarray, v: np.ndarray) -> None:
    residual = np.abs(G @ v - nu)
    if residual.max(initial=0.0) > 1e-8 * (1.0 + np.abs(nu).max(initial=0.0)):
        owners = sorted({system.compiled.row_owner[r] for r in np.flatnonzero(residual > 0.1 * residual.max())})
        raise AssemblyError(
            f"no velocities satisfy all constraints: {', '.join(map(repr, owners))} ask for {residual.max():.3g} m/s more than "
            "the machine can do. Two drivers may prescribe the same motion differently; remove one.")
