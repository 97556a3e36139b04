"""Equations by user code between two markers, differentiated along curves of poses.

    g(t, X_i, X_j) = 0                               X(s) a curve of poses, c1 and c2 from Taylor jets
    F    c1 of g along unit velocities                 twelve curves, t fixed
    g_t  c1 of g with the poses fixed, dt = ds
    bias 2 c2 along the motion  p + v s + (w x v) s^2 / 2,  exp(w~ s) R,  t + s

The curve of the bias is the motion without spatial acceleration, so that gddot = F.A + bias.

    h(t, X_i, X_j, V_i, V_j) = F.V + b = 0           rows of velocities alone
    F    c1 of h along unit velocities, b = h(V = 0)
    bias c1 along the motion, on which v changes by w x v

`row` is the row of `work.aims`: time, jets of both markers, jets of the results. `p.term` is the
number of the equation among those of the function.
"""

from __future__ import annotations

import math

from ...kernel.algebra.spatial import angular, join, load6, velocity_at
from ...kernel.algebra.vec3 import add, cross, load3, load9, matmul, rotate, scale, sub
from ...kernel.decorators import inline, internal_kernel
from ...kernel.intrinsics import call_curve
from ...kernel.usercode.shapes import MARKER
from .contract import ZERO

STATE, OUT = 1, 1 + 6 * MARKER  # columns of the jets of the markers, of the results
POSITION, ROTATION, VELOCITY, TURNING = 0, 3, 12, 15  # numbers of a marker
NAN = math.nan
UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@inline
def put(row, at, k, x):
    """Set coefficient k of three numbers."""
    for j in range(3):
        row[STATE + 3 * (at + j) + k] = x[j]


@inline
def put_turn(row, at, k, R, w):
    """Set coefficient k of a rotation to w~ R; returns w~ R."""
    x, y, z = (
        cross(w, (R[0], R[3], R[6])),
        cross(w, (R[1], R[4], R[7])),
        cross(w, (R[2], R[5], R[8])),
    )
    T = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
    for j in range(9):
        row[STATE + 3 * (at + ROTATION + j) + k] = T[j]
    return T


@inline
def pose(tables, body, p, marker, point):
    """Position and rotation of marker 0 or 1."""
    R = load9(body.R)
    return (
        add(load3(body.p), rotate(R, load3(point))),
        matmul(R, load9(tables.pool[p.first + 9 * marker :])),
    )


@inline
def put_pose(row, at, x, R):
    """Set a marker at rest."""
    for j in range(STATE + 3 * at, STATE + 3 * (at + MARKER)):
        row[j] = 0.0
    put(row, at, 0, x)
    for j in range(9):
        row[STATE + 3 * (at + ROTATION + j)] = R[j]


@inline
def velocities(body, x):
    """Velocity of the point x of a body, and its angular velocity."""
    V = load6(body.V)
    return velocity_at(V, sub(x, load3(body.O))), angular(V)


@internal_kernel
def place(tables, p, bodies, aims):
    """Set both markers at rest."""
    row = aims[p.aim]
    x, R = pose(tables, bodies[p.i], p, 0, p.p_i)
    put_pose(row, 0, x, R)
    x, R = pose(tables, bodies[p.j], p, 1, p.p_j)
    put_pose(row, MARKER, x, R)


@inline
def put_motion(tables, row, at, body, p, marker, point):
    x, R = pose(tables, body, p, marker, point)
    v, w = velocities(body, x)
    put_pose(row, at, x, R)
    put(row, at + POSITION, 1, v)
    put(row, at + POSITION, 2, scale(0.5, cross(w, v)))
    put_turn(row, at, 2, put_turn(row, at, 1, R, w), scale(0.5, w))
    put(row, at + VELOCITY, 0, v)
    put(row, at + VELOCITY, 1, cross(w, v))
    put(row, at + TURNING, 0, w)


@internal_kernel
def place_motion(tables, p, bodies, aims):
    """Set both markers on the motion without spatial acceleration."""
    row = aims[p.aim]
    put_motion(tables, row, 0, bodies[p.i], p, 0, p.p_i)
    put_motion(tables, row, MARKER, bodies[p.j], p, 1, p.p_j)


@internal_kernel
def call(tables, n, aims, rate, numbers, count, more):
    """Evaluate the user's function of aim n along the curve in its row; NaN if it fails."""
    aim, row = tables.aims[n], aims[n]
    out = row[STATE + 3 * numbers :]
    status = call_curve(
        aim.address,
        (
            row[0],
            rate * aim.runs,
            tables.settings[0].length,
            row[STATE:].ctypes.data,
            count,
            more,
            tables.pool[aim.first :].ctypes.data,
            aim.parameters,
            out.ctypes.data,
            aim.rows,
        ),
    )
    if status != 0:
        for k in range(3 * aim.rows):
            out[k] = NAN


@inline
def result(tables, p, aims, rate, k):
    """Coefficient k of the row of p."""
    call(tables, p.aim, aims, rate, 2 * MARKER, 0, 0)
    return aims[p.aim, OUT + 3 * p.term + k]


@inline
def along(tables, p, aims, at, e):
    """Derivative of the row along the unit velocity e of three numbers."""
    put(aims[p.aim], at, 1, e)
    found = result(tables, p, aims, 0.0, 1)
    put(aims[p.aim], at, 1, ZERO)
    return found


@inline
def turning(tables, p, aims, at, R, e):
    """Derivative of the row along the unit angular velocity e of a marker."""
    put_turn(aims[p.aim], at, 1, R, e)
    found = result(tables, p, aims, 0.0, 1)
    put_turn(aims[p.aim], at, 1, R, ZERO)
    return found


@internal_kernel
def gradient(tables, p, aims, marker):
    """Torque and force of the row on marker 0 or 1, about the marker."""
    at, row = MARKER * marker, aims[p.aim]
    if p.rates[0] > 0:
        f = (
            along(tables, p, aims, at + VELOCITY, UNIT[0]),
            along(tables, p, aims, at + VELOCITY, UNIT[1]),
            along(tables, p, aims, at + VELOCITY, UNIT[2]),
        )
        c = (
            along(tables, p, aims, at + TURNING, UNIT[0]),
            along(tables, p, aims, at + TURNING, UNIT[1]),
            along(tables, p, aims, at + TURNING, UNIT[2]),
        )
        return join(c, f)
    first = STATE + 3 * (at + ROTATION)
    R = (
        row[first],
        row[first + 3],
        row[first + 6],
        row[first + 9],
        row[first + 12],
        row[first + 15],
        row[first + 18],
        row[first + 21],
        row[first + 24],
    )
    f = (
        along(tables, p, aims, at + POSITION, UNIT[0]),
        along(tables, p, aims, at + POSITION, UNIT[1]),
        along(tables, p, aims, at + POSITION, UNIT[2]),
    )
    c = (
        turning(tables, p, aims, at, R, UNIT[0]),
        turning(tables, p, aims, at, R, UNIT[1]),
        turning(tables, p, aims, at, R, UNIT[2]),
    )
    return join(c, f)


@inline
def about(W, r):
    """A wrench about a point, converted to the origin at -r from it."""
    f = (W[3], W[4], W[5])
    return join(add(angular(W), cross(r, f)), f)


@inline
def value(tables, p, k, bodies, aims):
    if p.rates[0] > 0:
        return 0.0
    place(tables, p, bodies, aims)
    return result(tables, p, aims, 0.0, 0)


@internal_kernel
def wrench_pair(tables, p, bodies, aims):
    place(tables, p, bodies, aims)
    x_i = pose(tables, bodies[p.i], p, 0, p.p_i)[0]
    x_j = pose(tables, bodies[p.j], p, 1, p.p_j)[0]
    W_i, W_j = gradient(tables, p, aims, 0), gradient(tables, p, aims, 1)
    F_i = about(W_i, sub(x_i, load3(bodies[p.i].O)))
    return F_i, about(W_j, sub(x_j, load3(bodies[p.j].O)))


@inline
def pair(tables, p, k, bodies, aims):
    return wrench_pair(tables, p, bodies, aims)


@inline
def bias(tables, p, k, bodies, aims):
    place_motion(tables, p, bodies, aims)
    if p.rates[0] > 0:
        return result(tables, p, aims, 1.0, 1)
    return 2.0 * result(tables, p, aims, 1.0, 2)


@internal_kernel
def drift(tables, p, bodies, aims):
    """g_t, or the part b of a row of velocities."""
    place(tables, p, bodies, aims)
    if p.rates[0] > 0:
        return result(tables, p, aims, 0.0, 0)
    return result(tables, p, aims, 1.0, 1)
