"""Tables 2 and 3 of [Lee1994] as printed, with their errors.

    row body i, column joint of body j
    rotation:      B = ( -d~ A_j u', A_i^T A_j u' )
    translation:   B = ( A_j u', 0 )
    Bdot:          d~ A_j    ->  ddot~ A_j + d~ Adot_j
                   A_i^T A_j ->  Adot_i^T A_j + A_i^T Adot_j,    A_j -> Adot_j

"printed" takes d from the joint point on body j to the origin of body i, as eqs. (4) and (7) imply.
Table 2 is then exact. Table 3 treats the axes u' of rotations as fixed in the child j. This is
wrong for an axis that is fixed in the parent and rotates in the child, such as the first axis of a
universal joint. The velocities of spherical joints are angular velocities here, so that u' is
constant and Table 3 is exact; with the three angles of the paper it would be wrong as well.

"printed-origins" takes d between the origins of the two bodies, as the text defines it. Every
column of a rotation is then wrong unless the origin of its body lies in the joint.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..description.lowering.compiled import LoweredModel
from ..kernel.tables.workspace import Work

PRINTED = ("printed", "printed-origins")


def printed_rows(tables: str) -> Callable[[LoweredModel, Work, int], tuple[np.ndarray, np.ndarray]]:
    """A function that returns six rows of B and of Bdot of a body, from the tables of that name."""
    from_origins = tables == PRINTED[1]

    def rows(compiled: LoweredModel, work: Work, i: int) -> tuple[np.ndarray, np.ndarray]:
        B, Bdot = np.zeros((2, 6, compiled.size["nv"]))
        A, r, rdot, w = _origin(compiled, work, i)
        j = i
        while j > 0:
            link = compiled.tables.links[j]
            point, pdot = _origin(compiled, work, j)[1:3] if from_origins else _joint_point(work, j)
            d, ddot, w_j = r - point, rdot - pdot, work.bodies[j]["V"][:3]
            for n in range(int(link["nv"])):
                k = int(link["iv"]) + n
                carrier = int(link["parent"]) if n < int(link["leading"]) else j
                turn, slide = _axes(work, j, k)
                turning = np.cross(w_j, turn)
                sliding = np.cross(work.bodies[carrier]["V"][:3], slide)
                B[:3, k], B[3:, k] = np.cross(turn, d) + slide, A.T @ turn
                Bdot[:3, k] = np.cross(turning, d) + np.cross(turn, ddot) + sliding
                Bdot[3:, k] = A.T @ (turning - np.cross(w, turn))
            j = int(link["parent"])
        return B, Bdot

    return rows


def _origin(
    compiled: LoweredModel, work: Work, i: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Axes, position and velocity of the user's frame of a body, and its angular velocity."""
    body, X_KB = work.bodies[i], compiled.X_BK[i].inverse
    R_WK, w = body["R"].reshape(3, 3), np.array(body["V"][:3])
    r = body["p"] + R_WK @ X_KB.p
    return R_WK @ X_KB.R, r, body["V"][3:] + np.cross(w, r - body["O"]), w


def _joint_point(work: Work, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity of the joint point on a body: the origin of its kernel frame."""
    body = work.bodies[j]
    return np.array(body["p"]), body["V"][3:] + np.cross(body["V"][:3], body["p"] - body["O"])


def _axes(work: Work, j: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Axis of rotation of one degree of freedom, and its translation at the joint point of
    body j.
    """
    h, body = np.array(work.dofs[k]["h"]), work.bodies[j]
    return h[:3], h[3:] + np.cross(h[:3], body["p"] - body["O"])
