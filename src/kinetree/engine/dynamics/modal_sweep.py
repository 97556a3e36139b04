"""The modes of flexible parts in the articulated-body algorithm.

With the articulated inertias I_m and biases p_m at the markers m, and A the acceleration of the part,

    M_kl = S^T S + sum over m  h_k^m . I_m h_l^m,    U_k <- U_k + sum over m  I_m h_k^m
    u_k  = tau_k + drift_k - sum over m  h_k^m . (p_m + I_m c_m)
    I <- I - U M^-1 U^T,   p <- p + U M^-1 u,        qddot = M^-1 (u - U^T A)

M is factored as L L^T [Golub2013, alg. 4.2.1]; the diagonal of L holds reciprocals.
"""

import math

from ...kernel.algebra.spatial import (
    add6,
    add_to6,
    add_to21,
    apply,
    dot6,
    load6,
    load21,
    scale6,
    store6,
    store21,
    sub6,
)
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.joint_inertia import joint_inertia
from .eliminate import accelerate_one, eliminate, is_bad
from .modal_body import drift, modal_mass, momenta, pushes, responses


@inline
def begin_modes(tables, work, tau):
    """u = tau + drift of all modes."""
    for j in range(tables.flexible.shape[0]):
        f = tables.flexible[j]
        u, Q = pushes(work, f), drift(work, f)
        for k in range(f.n):
            u[k] = tau[f.iv + k] + Q[k]


@inline
def carry_marker(tables, work, link, I, p):
    """Pass what hangs on a marker to the modes that move it; p is the bias at no modal acceleration."""
    f = tables.flexible[tables.links[link.parent].flexible - 1]
    U, u, M = momenta(work, f), pushes(work, f), modal_mass(work, f)
    for k in range(f.n):
        h = load6(work.dofs[link.column + k].h)
        carried = apply(I, h)
        add_to6(U[6 * k : 6 * k + 6], carried)
        u[k] -= dot6(h, p)
        for l in range(k + 1):
            M[k * f.n + l] += dot6(load6(work.dofs[link.column + l].h), carried)


@internal_kernel
def factorize_modes(M, n, floor):
    """M <- L, its lower triangle; returns the row of a vanishing pivot, or -1."""
    for k in range(n):
        row = M[k * n : k * n + k + 1]
        diagonal = row[k]
        for l in range(k):
            other = M[l * n : l * n + l + 1]
            x = row[l]
            for m in range(l):
                x -= row[m] * other[m]
            row[l] = x * other[l]
        x = diagonal
        for m in range(k):
            x -= row[m] * row[m]
        if not x > max(1e-14 * diagonal, floor):
            return k
        row[k] = 1.0 / math.sqrt(x)
    return -1


@internal_kernel
def solve_modes(M, n, width, x):
    """x <- (L L^T)^-1 x for `width` right-hand sides, the numbers of a mode side by side."""
    for k in range(n):
        for l in range(k):
            s = M[k * n + l]
            for c in range(width):
                x[width * k + c] -= s * x[width * l + c]
        for c in range(width):
            x[width * k + c] *= M[k * n + k]
    for k in range(n - 1, -1, -1):
        for l in range(k + 1, n):
            s = M[l * n + k]
            for c in range(width):
                x[width * k + c] -= s * x[width * l + c]
        for c in range(width):
            x[width * k + c] *= M[k * n + k]


@internal_kernel
def eliminate_modes(tables, work, f):
    """Eliminate the modes of a part whose markers have been carried.

    Changes bodies (I, bias) of its link, and modal: L, M^-1 U and M^-1 u. Returns the index of a
    vanishing pivot, or -1.
    """
    body, n = work.bodies[f.link], f.n
    U, W, u, M = momenta(work, f), responses(work, f), pushes(work, f), modal_mass(work, f)
    bad = factorize_modes(M, n, tables.floor[f.iv] if n > 0 else 0.0)
    for k in range(6 * n):
        W[k] = U[k]
    solve_modes(M, n, 6, W)
    solve_modes(M, n, 1, u)
    p = load6(body.bias)
    for k in range(n):
        column = load6(U[6 * k : 6 * k + 6])
        p = add6(p, scale6(u[k], column))
        subtract_outer(body.I, column, load6(W[6 * k : 6 * k + 6]))
    store6(body.bias, p)
    return f.iv + bad if bad >= 0 else -1


@inline
def subtract_outer(I, a, b):
    """Packed I <- I - a b^T, which is symmetric in the sum over all columns: its upper triangle."""
    x = load21(I)
    store21(
        I,
        (
            x[0] - a[0] * b[0],
            x[1] - a[0] * b[1],
            x[2] - a[0] * b[2],
            x[3] - a[1] * b[1],
            x[4] - a[1] * b[2],
            x[5] - a[2] * b[2],
            x[6] - a[0] * b[3],
            x[7] - a[0] * b[4],
            x[8] - a[0] * b[5],
            x[9] - a[1] * b[3],
            x[10] - a[1] * b[4],
            x[11] - a[1] * b[5],
            x[12] - a[2] * b[3],
            x[13] - a[2] * b[4],
            x[14] - a[2] * b[5],
            x[15] - a[3] * b[3],
            x[16] - a[3] * b[4],
            x[17] - a[3] * b[5],
            x[18] - a[4] * b[4],
            x[19] - a[4] * b[5],
            x[20] - a[5] * b[5],
        ),
    )


@inline
def accelerate_modes(work, f, A, vdot):
    """Accelerations of the modes of a part whose acceleration is A."""
    W, u = responses(work, f), pushes(work, f)
    for k in range(f.n):
        vdot[f.iv + k] = u[k] - dot6(load6(W[6 * k : 6 * k + 6]), A)


@internal_kernel
def articulate_parts(tables, work, tau):
    """`articulate` of forward.py for a tree with flexible parts."""
    links, bodies, dofs, bad = tables.links, work.bodies, work.dofs, -1
    begin_modes(tables, work, tau)
    for i in range(links.shape[0] - 1, 0, -1):
        link, body = links[i], bodies[i]
        if link.flexible > 0:
            stuck = eliminate_modes(tables, work, tables.flexible[link.flexible - 1])
            bad = stuck if stuck >= 0 else bad
        I, p = load21(body.I), sub6(load6(body.bias), load6(body.F))
        first = link.iv if link.flexible == 0 else link.iv + link.nv  # the modes are eliminated
        for k in range(link.iv + link.nv - 1, first - 1, -1):
            I, p = eliminate(dofs[k], I, p, tau[k], joint_inertia(tables, link, k))
            bad = k if is_bad(dofs[k], link) else bad
        p_up = add6(p, apply(I, load6(body.c)))
        if link.modes > 0:
            carry_marker(tables, work, link, I, p_up)
        if link.parent > 0:
            P = bodies[link.parent]
            add_to21(P.I, I)
            add_to6(P.bias, p_up)
    return bad


@internal_kernel
def accelerate_parts(tables, work, vdot):
    """`accelerate` of forward.py for a tree with flexible parts."""
    links, bodies, dofs, gravity = tables.links, work.bodies, work.dofs, tables.settings[0].gravity
    store6(bodies[0].A, (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2]))
    for i in range(1, links.shape[0]):
        link, body = links[i], bodies[i]
        A = add6(load6(bodies[link.parent].A), load6(body.c))
        if link.flexible > 0:
            accelerate_modes(work, tables.flexible[link.flexible - 1], A, vdot)
        else:
            for k in range(link.iv, link.iv + link.nv):
                A = accelerate_one(dofs, vdot, k, A)
        for k in range(link.modes):
            A = add6(A, scale6(vdot[link.mode_iv + k], load6(dofs[link.column + k].h)))
        store6(body.A, A)
    store6(bodies[0].A, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))  # the ground is at rest again
