"""Inertia forces of the nodes over a step, and their derivatives by the end of the step."""

import math

from ...kernel.algebra.rodrigues import rotation_vector, transposed, turned, unturn, unturn_matrix
from ...kernel.algebra.vec3 import (
    add,
    cross,
    dot,
    load3,
    load9,
    matmul,
    norm,
    rotate,
    rotate_t,
    scale,
    sub,
)
from ...kernel.decorators import inline, kernel
from ...kernel.tables.poses import END, START, node_pose
from .nodal import ALPHA, ALPHA_F, ALPHA_M, BETA, GAMMA


@inline
def inertia(tables, work, b, h, method, f):
    """Write the mean inertia force over the step minus the weight to f.

        f = ( m (v_f - v_i) / h,  (R_f J w_f - R_i J w_i) / h ),      d.f_x + r.f_r = T_f - T_i
        generalized alpha:  ( m vdot,  R_f (J wdot + w x J w) )  at the end

    Returns the moment (generalized alpha) or the angular momentum, and w, for `inertia_tangent`.
    """
    node, g = work.nodes[b], tables.settings[0].gravity
    _, R_i = node_pose(work.poses[START], b)
    _, R_f = node_pose(work.poses[END], b)
    J, m = load9(node.J), node.mass
    if method == ALPHA:
        w = (node.v_end[3], node.v_end[4], node.v_end[5])
        wd = (node.vdot_end[3], node.vdot_end[4], node.vdot_end[5])
        moment = rotate(R_f, add(rotate(J, wd), cross(w, rotate(J, w))))
        for k in range(3):
            f[k], f[3 + k] = m * (node.vdot_end[k] - g[k]), moment[k]
        return moment, w
    w = load3(node.w)
    p = rotate(R_f, rotate(J, sub(scale(2.0 / h, rotate_t(R_i, load3(node.r))), w)))
    moment = scale(1.0 / h, sub(p, rotate(R_i, rotate(J, w))))
    for k in range(3):
        f[k], f[3 + k] = m * (2.0 / h * (node.d[k] / h - node.v[k]) - g[k]), moment[k]
    if tables.settings[0].convected == 1:
        moment = convected_moment(node, h)
        for k in range(3):
            f[k] = m * ((node.v_end[k] - node.v[k]) / h - g[k])
            f[3 + k] += moment[k]
    return p, w


@inline
def convected_moment(node, h):
    """Moment of convected momentum,  d/h x R_a (P_i + P_f)/2 = m p0 (r.d)(d x r) / 4h^2.
    [Yun2005, eq. (25)]

    With (P_i + P_f)/2 = m R_a^T d/h  and  R_a R_a^T = I + p0/4 r~ r~.
    """
    d, r = load3(node.d), load3(node.r)
    p0 = 1.0 / (1.0 + 0.25 * dot(r, r))
    return scale(0.25 * node.mass * p0 * dot(r, d) / (h * h), cross(d, r))


@inline
def convected_tangent(work, b, h, A, o):
    """Adds what the derivative of `inertia` has besides that of inertial velocities.

    v_f' = (I + R)/h d' + theta' x (v_f - d/h),     against  2/h d'
    """
    node = work.nodes[b]
    d, r, m = load3(node.d), load3(node.r), node.mass
    R, p0, c = turned(r), 1.0 / (1.0 + 0.25 * dot(r, r)), 0.25 * node.mass / (h * h)
    lag = sub(load3(node.v_end), scale(1.0 / h, d))
    along, across = dot(r, d), cross(d, r)
    for k in range(6):
        unit = (
            1.0 if k % 3 == 0 else 0.0,
            1.0 if k % 3 == 1 else 0.0,
            1.0 if k % 3 == 2 else 0.0,
        )
        if k < 3:
            force = scale(m / (h * h), sub(rotate(R, unit), unit))
            moment = add(
                scale(c * p0 * dot(r, unit), across), scale(c * p0 * along, cross(unit, r))
            )
        else:
            force, change = scale(m / h, cross(unit, lag)), unturn(r, unit)
            moment = add(
                scale(c * p0 * (dot(change, d) - 0.5 * p0 * dot(r, change) * along), across),
                scale(c * p0 * along, cross(d, change)),
            )
        for j in range(3):
            A[o + 6 * j + k] += force[j]
            A[o + 6 * (3 + j) + k] += moment[j]


@inline
def inertia_tangent(work, b, h, method, rho, p, w, A, o):
    """Add the derivative of `inertia` by the end to the 6 x 6 block at A[o:].

    p and w are the values that `inertia` returned.
    """
    node = work.nodes[b]
    _, R_i = node_pose(work.poses[START], b)
    _, R_f = node_pose(work.poses[END], b)
    J, r = load9(node.J), load3(node.r)
    if method == ALPHA:
        c2 = (1.0 - rho[ALPHA_M]) / ((1.0 - rho[ALPHA_F]) * h * h * rho[BETA])
        c1 = rho[GAMMA] / (h * rho[BETA])
        Jw = rotate(J, w)
        W = (0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0)
        WJ = matmul(W, J)
        S = (
            c2 * J[0] + c1 * WJ[0],
            c2 * J[1] + c1 * (WJ[1] + Jw[2]),
            c2 * J[2] + c1 * (WJ[2] - Jw[1]),
            c2 * J[3] + c1 * (WJ[3] - Jw[2]),
            c2 * J[4] + c1 * WJ[4],
            c2 * J[5] + c1 * (WJ[5] + Jw[0]),
            c2 * J[6] + c1 * (WJ[6] + Jw[1]),
            c2 * J[7] + c1 * (WJ[7] - Jw[0]),
            c2 * J[8] + c1 * WJ[8],
        )
        B, lead, s, turn = matmul(matmul(R_f, S), transposed(R_i)), c2 * node.mass, 1.0, 1.0
        B = matmul(B, log_rate(r))
    else:
        B = matmul(matmul(matmul(R_f, J), transposed(R_i)), unturn_matrix(r))
        lead, s, turn = 2.0 * node.mass / (h * h), 2.0 / (h * h), 1.0 / h
    for k in range(3):
        A[o + 7 * k] += lead
        for j in range(3):
            A[o + 6 * (3 + k) + 3 + j] += s * B[3 * k + j]
    A[o + 22] += turn * p[2]
    A[o + 23] -= turn * p[1]
    A[o + 27] -= turn * p[2]
    A[o + 29] += turn * p[0]
    A[o + 33] += turn * p[1]
    A[o + 34] -= turn * p[0]


@inline
def log_rate(r):
    """Change of the rotation vector psi with a small rotation of the end.

    I - psi~/2 + k psi~ psi~,      k = (1 - (a/2) cot(a/2)) / a^2
    """
    x, y, z = rotation_vector(r)
    n = x * x + y * y + z * z
    # tan(a/2) = |r|/2
    k = 1.0 / 12.0 + n / 720.0 if n < 1e-4 else (1.0 - math.sqrt(n) / norm(r)) / n
    return (
        1.0 - k * (y * y + z * z),
        0.5 * z + k * x * y,
        -0.5 * y + k * x * z,
        -0.5 * z + k * x * y,
        1.0 - k * (x * x + z * z),
        0.5 * x + k * y * z,
        0.5 * y + k * x * z,
        -0.5 * x + k * y * z,
        1.0 - k * (x * x + y * y),
    )


@inline
def axis_in_frame(R, n):
    """World axis n in the frame R."""
    return R[3 * n], R[3 * n + 1], R[3 * n + 2]


@kernel
def plane_inertia(tables, work, h, method, rho, first, tangent):
    """`inertia` and its tangent of all nodes of a planar model."""
    x, y, n = tables.freedoms[0], tables.freedoms[1], tables.freedoms[2] - 3
    g = tables.settings[0].gravity
    c2 = 2.0 / (h * h)
    if method == ALPHA:
        c2 = (1.0 - rho[ALPHA_M]) / ((1.0 - rho[ALPHA_F]) * h * h * rho[BETA])
    for b in range(1, tables.links.shape[0]):
        node, f = work.nodes[b], work.unbalanced[3 * (b - 1) :]
        _, R_i = node_pose(work.poses[START], b)
        m, axis = node.mass, axis_in_frame(R_i, n)
        J, r = dot(axis, rotate(load9(node.J), axis)), node.r[n]
        if method == ALPHA:
            vdot = node.vdot_end
            f[0], f[1], f[2] = (
                m * (vdot[x] - g[x]),
                m * (vdot[y] - g[y]),
                J * dot(axis, (vdot[3], vdot[4], vdot[5])),
            )
            bend = 1.0
        else:
            f[0], f[1] = (
                m * (c2 * (node.d[x] - h * node.v[x]) - g[x]),
                m * (c2 * (node.d[y] - h * node.v[y]) - g[y]),
            )
            f[2], bend = J * c2 * (r - h * dot(axis, load3(node.w))), 1.0 + 0.25 * r * r
        if tangent:
            o = tables.spots[first + b]
            work.matrix[o] += c2 * m
            work.matrix[o + 4] += c2 * m
            work.matrix[o + 8] += c2 * bend * J
