"""Another marker as the frame of a flexible body.

With the frame at marker c, its motion by the modes is subtracted from the shapes, and all integrals
follow from those of the wide basis, without nodes:

    X' = R_c^T (X - X_c)        phi'_k = R_c^T (phi_k - P_ck - theta_ck x (X - X_c))

The coordinates q, and with them strain energy and damping, remain. A load that the old frame
supported is supported by marker c now: its stress stiffness changes by that of its wrench there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...kernel.linalg import product
from .wide import affine, narrow, travel

if TYPE_CHECKING:
    from .reduced_part import ReducedPart

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))  # of stresses


def with_frame(part: ReducedPart, marker: str) -> ReducedPart:
    """The part with the frame at another marker, and the same coordinates q."""
    c = part.index(marker)
    if marker == part.frame:
        return part
    R, X = part.rotations[c], part.positions[c]
    L = new_basis(part.P[c], part.Theta[c], X, R)
    wide = np.empty_like(part.wide)
    for i in range(3):
        for j in range(3):
            turned = sum(R[p, i] * R[r, j] * part.wide[p, r] for p in range(3) for r in range(3))
            wide[i, j] = product(np.ascontiguousarray(L.T), turned, L)
    mass, S0, A00, a, A0, A = narrow(wide)
    P, Theta = np.empty_like(part.P), np.empty_like(part.Theta)
    for m, at in enumerate(part.positions):
        moved = part.P[m] - part.P[c] - np.cross(part.Theta[c], at - X, axisa=0, axisc=0)
        P[m], Theta[m] = product(R.T, moved), product(R.T, part.Theta[m] - part.Theta[c])
    P[c] = Theta[c] = 0.0
    E, E_marker = stress_stiffness(part, c, L)
    force, torque = part.load_wrench[:, :3], part.load_wrench[:, 3:]
    torque = torque - np.cross(X, force)
    away = part.nodes - X
    turns = np.cross(part.Theta[c][None], away[:, :, None], axis=1)
    return replace(
        part,
        frame=marker,
        origin=part.origin + product(part.axes, X),
        axes=product(part.axes, R),
        positions=product(part.positions - X, R),
        rotations=np.stack([product(R.T, turn) for turn in part.rotations]),
        P=P,
        Theta=Theta,
        mass=mass,
        S0=S0,
        A00=A00,
        a=a,
        A0=A0,
        A=A,
        E=E,
        E_marker=E_marker,
        load_wrench=np.hstack([product(force, R), product(torque, R)]),
        load_modes=part.load_modes - product(force, part.P[c]) - product(torque, part.Theta[c]),
        nodes=product(away, R),
        shapes=np.einsum("ij,njk->nik", R.T, part.shapes - part.P[c] - turns),
        stress=turned_stress(part.stress, R),
        load_stress=turned_stress(part.load_stress.reshape(-1, 6, 1), R).reshape(
            part.load_stress.shape
        ),
    )


def new_basis(P: np.ndarray, Theta: np.ndarray, X: np.ndarray, R: np.ndarray) -> np.ndarray:
    """L (w, w): the new wide basis as combinations of the old one, in the old axes."""
    n = P.shape[1]
    L = np.zeros((n + 12, n + 12))
    L[:n, :n] = np.eye(n)
    cross = np.zeros((3, 3, 3))  # (t x X)_j = cross[j, p, i] t_p X_i
    for j, p, i in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        cross[j, p, i], cross[j, i, p] = 1.0, -1.0
    for j in range(3):
        about = sum(cross[j, p, i] * Theta[p] * X[i] for p in range(3) for i in range(3))
        L[travel(n, j), :n] = about - P[j]
        for i in range(3):
            L[affine(n, i, j), :n] = -sum(cross[j, p, i] * Theta[p] for p in range(3))
        for r in range(3):
            L[travel(n, j), travel(n, r)] = R[j, r]
            for i in range(3):
                L[travel(n, j), affine(n, i, r)] = -(R[:, i] * X).sum() * R[j, r]
                for p in range(3):
                    L[affine(n, p, j), affine(n, i, r)] = R[p, i] * R[j, r]
    return L


def stress_stiffness(part: ReducedPart, c: int, L: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """E and E_marker with the frame at marker c."""
    n, s = part.n, part.stiffened
    R, X, at_c = part.rotations[c], part.positions[c], part.E_marker[c]
    S = np.eye(s + 3)
    S[s:, :s], S[s:, s:] = -part.Theta[c][:, :s], R

    def combined(weights: np.ndarray, E: np.ndarray) -> np.ndarray:
        return product(weights, E.reshape(len(E), -1)).reshape(-1, *E.shape[1:])

    def changed(E: np.ndarray) -> np.ndarray:
        return np.stack([product(np.ascontiguousarray(S.T), one, S) for one in E])

    # force and torque about X_c of the loads M Phi', in the old axes
    moments = np.zeros((n + 12, 6))
    for i in range(3):
        moments[:, i] = product(part.wide[i, 0, :, travel(n, 0)], L)
    first = np.stack(
        [
            [product(part.wide[i, 0, :, affine(n, p, 0)], L) for i in range(3)]  # int X_p Phi_i
            for p in range(3)
        ]
    )
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        moments[:, 3 + k] = first[i, j] - first[j, i] - X[i] * moments[:, j] + X[j] * moments[:, i]
    E = changed(combined(np.ascontiguousarray(L.T), part.E) - combined(moments, at_c))
    E_marker = np.zeros_like(part.E_marker)
    for m in range(len(part.markers)):
        if m == c:
            continue
        turn = np.zeros((6, 6))
        turn[:3, :3] = turn[3:, 3:] = R.T
        wrench = turn.copy()  # rows: unit forces and moments at m, as wrenches about X_c
        wrench[:3, 3:] = np.cross(part.positions[m] - X, R.T)
        E_marker[m] = changed(combined(turn, part.E_marker[m]) - combined(wrench, at_c))
    return E, E_marker


def turned_stress(stress: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Stresses (.., 6, n) in the axes of R."""
    full = np.empty((len(stress), 3, 3, stress.shape[2]))
    for c, (i, j) in enumerate(PAIRS):
        full[:, i, j] = full[:, j, i] = stress[:, c]
    turned = np.einsum("pi,npqk,qj->nijk", R, full, R)
    return np.stack([turned[:, i, j] for i, j in PAIRS], axis=1)
