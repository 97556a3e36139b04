"""Inertia that beam elements share between their nodes (engine/dynamics/shared.py), over a step.

force  (p_f - p_i) / h,      moment  (R_f pi_f - R_i pi_i) / h      as in inertia.py
generalized alpha:  pdot,    R (pidot + w x pi)                     at the end
"""

from ...kernel.algebra.rodrigues import transposed, unturn_matrix
from ...kernel.algebra.vec3 import add, cross, dot, load3, load9, matmul, rotate, scale, sub
from ...kernel.decorators import inline, kernel
from ...kernel.tables.poses import END, START, node_pose
from ..dynamics.shared import shared_momenta
from .inertia import axis_in_frame, log_rate
from .nodal import ALPHA, ALPHA_F, ALPHA_M, BETA, GAMMA
from .tangent import mixed9


@inline
def skew(a):
    """Matrix a~ with a~ b = a x b, by rows."""
    return 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0


@kernel
def shared_terms(tables, work, h, method, rho, tangent):
    """Add all elements in space to the residual and the matrix."""
    for e in range(tables.elements.shape[0]):
        element = tables.elements[e]
        a, b, i = work.nodes[element.i], work.nodes[element.j], 6 * (element.i - 1)
        j = 6 * (element.j - 1)
        _, R1 = node_pose(work.poses[END], element.i)
        _, R2 = node_pose(work.poses[END], element.j)
        w1, w2 = (a.v_end[3], a.v_end[4], a.v_end[5]), (b.v_end[3], b.v_end[4], b.v_end[5])
        p, pi = shared_momenta(element, load3(a.v_end), w1, load3(b.v_end), w2)
        if method == ALPHA:
            f, pidot = shared_momenta(
                element,
                load3(a.vdot_end),
                (a.vdot_end[3], a.vdot_end[4], a.vdot_end[5]),
                load3(b.vdot_end),
                (b.vdot_end[3], b.vdot_end[4], b.vdot_end[5]),
            )
            m1 = rotate(R1, add(pidot, cross(w1, pi)))
            m2 = scale(-1.0, rotate(R2, add(pidot, cross(w2, pi))))
        else:
            _, S1 = node_pose(work.poses[START], element.i)
            _, S2 = node_pose(work.poses[START], element.j)
            q, ro = shared_momenta(element, load3(a.v), load3(a.w), load3(b.v), load3(b.w))
            f = scale(1.0 / h, sub(p, q))
            m1 = scale(1.0 / h, sub(rotate(R1, pi), rotate(S1, ro)))
            m2 = scale(1.0 / h, sub(rotate(S2, ro), rotate(R2, pi)))
        for k in range(3):
            work.unbalanced[i + k] += f[k]
            work.unbalanced[j + k] -= f[k]
            work.unbalanced[i + 3 + k] += m1[k]
            work.unbalanced[j + 3 + k] += m2[k]
        if tangent:
            shared_tangent(tables, work, e, h, method, rho, R1, R2, w1, w2, pi, m1, m2)


@inline
def shared_tangent(tables, work, e, h, method, rho, R1, R2, w1, w2, pi, m1, m2):
    """Add the derivatives by the ends of both nodes to their four blocks."""
    element, J = tables.elements[e], load9(tables.elements[e].J)
    _, S1 = node_pose(work.poses[START], element.i)
    _, S2 = node_pose(work.poses[START], element.j)
    r1, r2, o = load3(work.nodes[element.i].r), load3(work.nodes[element.j].r), element.spots
    if method == ALPHA:
        c2 = (1.0 - rho[ALPHA_M]) / ((1.0 - rho[ALPHA_F]) * h * h * rho[BETA])
        c1 = rho[GAMMA] / (h * rho[BETA])
        B1, B2 = matmul(transposed(S1), log_rate(r1)), matmul(transposed(S2), log_rate(r2))
        lead = c2
        one, two = mixed9(c2, J, c1, matmul(skew(w1), J)), mixed9(c2, J, c1, matmul(skew(w2), J))
        P1, P2, c = skew(m1), skew(m2), c1
    else:
        B1 = matmul(transposed(S1), unturn_matrix(r1))
        B2 = matmul(transposed(S2), unturn_matrix(r2))
        lead, one = 2.0 / (h * h), mixed9(2.0 / (h * h), J, 0.0, J)
        two = mixed9(2.0 / (h * h), J, 0.0, J)
        P1, P2, c = skew(scale(1.0 / h, rotate(R1, pi))), skew(scale(-1.0 / h, rotate(R2, pi))), 0.0
    L1, L2, turn = matmul(R1, one), matmul(R2, two), skew(pi)
    put(
        work.matrix,
        o[0],
        -lead * element.mass,
        mixed9(-1.0, matmul(mixed9(1.0, L1, c, matmul(R1, turn)), B1), -1.0, P1),
    )
    put(work.matrix, o[1], lead * element.mass, matmul(L1, B2))
    put(work.matrix, o[2], lead * element.mass, matmul(L2, B1))
    put(
        work.matrix,
        o[3],
        -lead * element.mass,
        mixed9(-1.0, matmul(mixed9(1.0, L2, -c, matmul(R2, turn)), B2), -1.0, P2),
    )


@inline
def put(A, o, lead, B):
    """Add a mass and a block of rotations to the 6 x 6 block at A[o:]."""
    for k in range(3):
        A[o + 7 * k] += lead
        for j in range(3):
            A[o + 21 + 6 * k + j] += B[3 * k + j]


@kernel
def plane_shared(tables, work, h, method, rho, tangent):
    """Add all elements of a planar model to the residual and the matrix."""
    x, y, n, c2 = tables.freedoms[0], tables.freedoms[1], tables.freedoms[2] - 3, 2.0 / (h * h)
    if method == ALPHA:
        c2 = (1.0 - rho[ALPHA_M]) / ((1.0 - rho[ALPHA_F]) * h * h * rho[BETA])
    for e in range(tables.elements.shape[0]):
        element = tables.elements[e]
        a, b, i = work.nodes[element.i], work.nodes[element.j], 3 * (element.i - 1)
        j = 3 * (element.j - 1)
        _, R = node_pose(work.poses[START], element.i)
        axis, mass, r1, r2, s1, s2 = axis_in_frame(R, n), element.mass, a.r[n], b.r[n], 1.0, 1.0
        J = dot(axis, rotate(load9(element.J), axis))
        if method == ALPHA:
            f, g = mass * (b.vdot_end[x] - a.vdot_end[x]), mass * (b.vdot_end[y] - a.vdot_end[y])
            m = J * dot(
                axis,
                (
                    b.vdot_end[3] - a.vdot_end[3],
                    b.vdot_end[4] - a.vdot_end[4],
                    b.vdot_end[5] - a.vdot_end[5],
                ),
            )
        else:
            f = mass * c2 * (b.d[x] - a.d[x] - h * (b.v[x] - a.v[x]))
            g = mass * c2 * (b.d[y] - a.d[y] - h * (b.v[y] - a.v[y]))
            m = J * c2 * (r2 - r1 - h * dot(axis, sub(load3(b.w), load3(a.w))))
            s1, s2 = 1.0 + 0.25 * r1 * r1, 1.0 + 0.25 * r2 * r2
        for k, z in ((0, f), (1, g), (2, m)):
            work.unbalanced[i + k] += z
            work.unbalanced[j + k] -= z
        if tangent:
            o, A = element.spots, work.matrix
            for k in range(2):
                A[o[0] + 4 * k] -= c2 * mass
                A[o[1] + 4 * k] += c2 * mass
                A[o[2] + 4 * k] += c2 * mass
                A[o[3] + 4 * k] -= c2 * mass
            A[o[0] + 8] -= c2 * J * s1
            A[o[1] + 8] += c2 * J * s2
            A[o[2] + 8] += c2 * J * s1
            A[o[3] + 8] -= c2 * J * s2


@kernel
def shared_masses(tables, work):
    """Add the masses that elements share, in world axes, to the matrix."""
    size = tables.freedoms.shape[0]
    for e in range(tables.elements.shape[0]):
        element, o = tables.elements[e], tables.elements[e].spots
        R1, R2 = load9(work.bodies[element.i].R), load9(work.bodies[element.j].R)
        J = load9(element.J)
        for k in range(4):
            left, right = R1 if k < 2 else R2, R1 if k % 2 == 0 else R2
            s = 1.0 if k == 1 or k == 2 else -1.0
            B = matmul(matmul(left, J), transposed(right))
            for i in range(size):
                for j in range(size):
                    p, q = tables.freedoms[i], tables.freedoms[j]
                    if p < 3 and p == q:
                        work.matrix[o[k] + size * i + j] += s * element.mass
                    elif p >= 3 and q >= 3:
                        work.matrix[o[k] + size * i + j] += s * B[3 * (p - 3) + q - 3]
