"""Free joint: six freedoms; a moving base, or every body in Cartesian coordinates.

q = (p_FM, unit quaternion), v = (velocity of M in F, angular velocity in M), as the papers' Y = (rdot, w').
"""

from dataclasses import dataclass

from ..frames import matrix_quaternion
from ..num.jit import inline
from ..num.quat import quat_matrix, quat_rate, quat_turn
from ..num.spatial import add6, cross_motion, join, load6, scale6, store6
from ..num.vec3 import add, column, cross, matmul, rotate
from .contract import Joint, Reversal


@dataclass(frozen=True)
class Free(Joint):
    """Three translations in the parent's frame, then three rotations in the child's frame."""

    kind = "free"
    nq = 7
    nv = 6
    reversal = Reversal()
    weight = 6.0
    labels = ("x", "y", "z", "qw", "qx", "qy", "qz")
    speeds = ("vx", "vy", "vz", "wx", "wy", "wz")
    units = ("m", "m", "m", "rad", "rad", "rad")


@inline
def move(link, q, R_WF, p_WF):
    i = link.iq
    R_WM = matmul(R_WF, quat_matrix(q[i + 3], q[i + 4], q[i + 5], q[i + 6]))
    return R_WM, add(p_WF, rotate(R_WF, (q[i], q[i + 1], q[i + 2])))


@inline
def hinge(link, R_WF, R_WM, r_F, r_M, dofs):
    for k in range(3):
        a = column(R_WM, k)
        store6(dofs[link.iv + k].h, join((0.0, 0.0, 0.0), column(R_WF, k)))
        store6(dofs[link.iv + 3 + k].h, join(a, cross(r_M, a)))


@inline
def bias(link, v, dofs):
    """The axes of rotation pass through M, which the translations carry along."""
    i = link.iv
    travel = scale6(v[i], load6(dofs[i].h))
    turn = scale6(v[i + 3], load6(dofs[i + 3].h))
    for k in range(1, 3):
        travel = add6(travel, scale6(v[i + k], load6(dofs[i + k].h)))
        turn = add6(turn, scale6(v[i + 3 + k], load6(dofs[i + 3 + k].h)))
    return cross_motion(travel, turn)


@inline
def rate(link, q, v, qdot):
    i, j = link.iq, link.iv
    for k in range(3):
        qdot[i + k] = v[j + k]
    quat_rate(q, i + 3, v[j + 3], v[j + 4], v[j + 5], qdot)


@inline
def shift(link, q, delta):
    i, j = link.iq, link.iv
    for k in range(3):
        q[i + k] += delta[j + k]
    quat_turn(q, i + 3, delta[j + 3], delta[j + 4], delta[j + 5])


def measure(R_FM, p_FM):
    return [*p_FM, *matrix_quaternion(R_FM)]
