"""Orientation of frame M on body j prescribed as D(t) in a frame F on body i: three rows in the
axes
d_k of D.

    g = 2 v,    (s, v) the unit quaternion of R_DM with s >= 0:  the missing rotation,
                2 sin(angle / 2) about its axis

It vanishes nowhere else and is singular at half a turn only. With w = w_M - w_D, since in D
sdot = -v.w / 2, vdot = (s w + w x v) / 2, and D rotates itself,

    gdot_k = w.u_k,    u_k = s d_k + v x d_k,    udot_k = sdot d_k + vdot x d_k + w_D x u_k

with w_D = w_i + the prescribed angular velocity of D in F. Where M equals D, u_k = d_k, so that
minus the multipliers are the components of the torque on body j in the axes of M. The first two
columns of F are a_i and p_i of the record, those of M are a_j and p_j.
"""

import math

from ...kernel.algebra.spatial import angular, join, load6
from ...kernel.algebra.vec3 import (
    add,
    column,
    cross,
    dot,
    load3,
    load9,
    matmul,
    neg,
    rotate,
    scale,
    sub,
)
from ...kernel.decorators import inline
from .contract import ZERO


@inline
def frame(R, x, y):
    """World frame on a body from its first two axes."""
    z = cross(x, y)
    return matmul(R, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))


@inline
def frames(p, bodies, aims):
    """R_WF, R_WD, R_WM."""
    R_WF = frame(load9(bodies[p.i].R), load3(p.a_i), load3(p.p_i))
    return (
        R_WF,
        matmul(R_WF, load9(aims[p.aim])),
        frame(load9(bodies[p.j].R), load3(p.a_j), load3(p.p_j)),
    )


@inline
def missing(D, M):
    """s and v (in D) of R_DM, from the largest of the four as in `frames.matrix_quaternion`."""
    xx, yy, zz = (
        dot(column(D, 0), column(M, 0)),
        dot(column(D, 1), column(M, 1)),
        dot(column(D, 2), column(M, 2)),
    )
    xy, yx = dot(column(D, 0), column(M, 1)), dot(column(D, 1), column(M, 0))
    xz, zx = dot(column(D, 0), column(M, 2)), dot(column(D, 2), column(M, 0))
    yz, zy = dot(column(D, 1), column(M, 2)), dot(column(D, 2), column(M, 1))
    if xx + yy + zz >= max(xx, yy, zz):
        s, x, y, z = 1.0 + xx + yy + zz, zy - yz, xz - zx, yx - xy
    elif xx >= max(yy, zz):
        s, x, y, z = zy - yz, 1.0 + xx - yy - zz, xy + yx, xz + zx
    elif yy >= zz:
        s, x, y, z = xz - zx, xy + yx, 1.0 - xx + yy - zz, yz + zy
    else:
        s, x, y, z = yx - xy, xz + zx, yz + zy, 1.0 - xx - yy + zz
    size = math.copysign(math.sqrt(s * s + x * x + y * y + z * z), s)
    return s / size, (x / size, y / size, z / size)


@inline
def value(tables, p, k, bodies, aims):
    _, D, M = frames(p, bodies, aims)
    return 2.0 * missing(D, M)[1][k]


@inline
def across(D, s, v, k):
    """u_k; v in world axes."""
    return add(scale(s, column(D, k)), cross(v, column(D, k)))


@inline
def pair(tables, p, k, bodies, aims):
    _, D, M = frames(p, bodies, aims)
    s, v = missing(D, M)
    u = across(D, s, rotate(D, v), k)
    return join(neg(u), ZERO), join(u, ZERO)


@inline
def drift(p, k, bodies, aims):
    """g_t: rate of row k due to the prescribed rotation alone."""
    R_WF, D, M = frames(p, bodies, aims)
    s, v = missing(D, M)
    return -dot(rotate(R_WF, load3(aims[p.aim, 9:])), across(D, s, rotate(D, v), k))


@inline
def bias(tables, p, k, bodies, aims):
    """Velocity terms of gddot.

    The acceleration of D contains w_i x w + wdot of the prescribed w, and u_k rotates.
    """
    R_WF, D, M = frames(p, bodies, aims)
    s, in_D = missing(D, M)
    v, w_i, prescribed = (
        rotate(D, in_D),
        angular(load6(bodies[p.i].V)),
        rotate(R_WF, load3(aims[p.aim, 9:])),
    )
    w_D = add(w_i, prescribed)
    w, d, u = sub(angular(load6(bodies[p.j].V)), w_D), column(D, k), across(D, s, v, k)
    vdot = scale(0.5, add(scale(s, w), cross(w, v)))
    udot = add(add(scale(-0.5 * dot(v, w), d), cross(vdot, d)), cross(w_D, u))
    return dot(w, udot) - dot(add(cross(w_i, prescribed), rotate(R_WF, load3(aims[p.aim, 12:]))), u)
