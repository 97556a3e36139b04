"""Inertia of a body with modes: its share of M and f, exact for any deformation.

A point of the body is at r = p + R u, and u = X + phi_b eta_b, with r shapes phi_b of unit mass
(int phi_b.phi_c dm = 1 if b = c, else 0) and amplitudes that depend on the n modal coordinates:

    eta = L q + 1/2 q H q,     S = d eta / d q = L + H q,     etadot = S qdot,     e = qdot H qdot

The second-order part is the shortening by bending, which makes a rotating body stiffer; M stays a
sum of squares, so it is positive at any q. With a_b = int phi_b, C_b = int u phi_b^T, c_b = ax C_b,
where ax of a matrix is (23 - 32, 31 - 13, 12 - 21), and in the axes of the body, about its origin,

    C_b = A0_b + eta_l A_lb,   s = S0 + a eta,   A = int u u^T,   J = tr A 1 - A,   Cd = C_b etadot_b

    F     = m a_O - s x wdot + a S qddot   + w x (w x s) + 2 w x (a etadot) + a e
    tau   = s x a_O + J wdot + c S qddot   + w x J w + 2 (tr Cd 1 - Cd^T) w + c e
    Q     = S^T (a^T a_O + c^T wdot + S qddot
                 + w.C_b w - tr C_b w.w + 2 w.ax(A_lb) etadot_l + e_b)

[Shabana2020, ch. 5], [Wallrapp1994]. Column k of U = ((c S)_k, (a S)_k) is the momentum of mode k; all
spatial vectors are about O in world axes, as elsewhere in this package.
"""

from ...kernel.algebra.blas1 import add_scaled, copy, fill
from ...kernel.algebra.spatial import (
    add6,
    add_to6,
    angular,
    dot6,
    join,
    linear,
    load6,
    rigid_inertia,
    scale6,
    store6,
    store21,
    sub6,
    velocity_at,
    wrench,
)
from ...kernel.algebra.vec3 import add, cross, dot, load3, load9, rotate, rotate_t, scale, sub
from ...kernel.decorators import inline, internal_kernel


@inline
def momenta(work, f):
    """U: six numbers per mode."""
    return work.modal[f.at : f.at + 6 * f.n]


@inline
def responses(work, f):
    """M^-1 U of an articulated sweep, six numbers per mode."""
    return work.modal[f.at + 6 * f.n : f.at + 12 * f.n]


@inline
def drift(work, f):
    """Generalized forces -Q at qddot = 0 and a_O = 0, one per mode."""
    return work.modal[f.at + 12 * f.n : f.at + 13 * f.n]


@inline
def pushes(work, f):
    """Right-hand side of the modes in an articulated sweep, then its solution."""
    return work.modal[f.at + 13 * f.n : f.at + 14 * f.n]


@inline
def modal_mass(work, f):
    """S^T S, n x n, row by row."""
    at = f.at + 14 * f.n
    return work.modal[at : at + f.n * f.n]


@inline
def scratch(work, f, first, count):
    """Numbers of one evaluation: S, H qdot, and from 2 r n on eta, etadot, e, the forces on the
    shapes, C, Cdot.
    """
    at = f.at + f.n * (14 + f.n) + first
    return work.modal[at : at + count]


@internal_kernel
def shape_amplitudes(tables, work, f, q, v):
    """S, eta, etadot and e at (q, v)."""
    n, r, pool = f.n, f.r, tables.pool
    size = r * n
    L, H = f.first + 9, f.first + 9 + size
    S, T = scratch(work, f, 0, size), scratch(work, f, size, size)
    eta = scratch(work, f, 2 * size, r)
    rate, e = scratch(work, f, 2 * size + r, r), scratch(work, f, 2 * size + 2 * r, r)
    copy(pool[L : L + size], S)
    fill(T, 0.0)
    for k in range(n if f.curved else 0):
        row = pool[H + k * size : H + (k + 1) * size]
        add_scaled(q[f.iq + k], row, S)
        add_scaled(v[f.iv + k], row, T)
    for b in range(r):
        x, y, z = 0.0, 0.0, 0.0
        for k in range(n):
            s = S[b * n + k]
            x += 0.5 * (s + pool[L + b * n + k]) * q[f.iq + k]
            y += s * v[f.iv + k]
            z += T[b * n + k] * v[f.iv + k]
        eta[b], rate[b], e[b] = x, y, z


@inline
def add_first_moments(tables, work, f):
    """C_b and Cdot_b = etadot_l A_lb of all shapes, nine numbers each."""
    n, r, pool = f.n, f.r, tables.pool
    at = 2 * r * n
    eta, rate = scratch(work, f, at, r), scratch(work, f, at + r, r)
    C, D = scratch(work, f, at + 4 * r, 9 * r), scratch(work, f, at + 13 * r, 9 * r)
    A0 = f.first + 9 + r * n + (n * r * n if f.curved else 0) + 3 * r
    copy(pool[A0 : A0 + 9 * r], C)
    fill(D, 0.0)
    for l in range(r):
        row = pool[A0 + 9 * r * (l + 1) : A0 + 9 * r * (l + 2)]
        add_scaled(eta[l], row, C)
        add_scaled(rate[l], row, D)


@inline
def axial(M):
    """(23 - 32, 31 - 13, 12 - 21) of a matrix of nine numbers."""
    return M[5] - M[7], M[6] - M[2], M[1] - M[3]


@inline
def nine(x, b):
    return load9(x[9 * b : 9 * b + 9])


@inline
def scaled9(s, M, N):
    """N + s M."""
    return (
        N[0] + s * M[0],
        N[1] + s * M[1],
        N[2] + s * M[2],
        N[3] + s * M[3],
        N[4] + s * M[4],
        N[5] + s * M[5],
        N[6] + s * M[6],
        N[7] + s * M[7],
        N[8] + s * M[8],
    )


_NO = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_NOWHERE = (0.0, 0.0, 0.0)


@inline
def sums_over_shapes(tables, work, f):
    """a eta, a etadot, a e, c e; A0_b eta_b + C_b eta_b, and Cd."""
    n, r, pool = f.n, f.r, tables.pool
    at, a = 2 * r * n, f.first + 9 + r * n + (n * r * n if f.curved else 0)
    A0 = a + 3 * r
    eta, rate, e = (
        scratch(work, f, at, r),
        scratch(work, f, at + r, r),
        scratch(work, f, at + 2 * r, r),
    )
    C = scratch(work, f, at + 4 * r, 9 * r)
    moved, going, bent, turned, E, Cd = _NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE, _NO, _NO
    for b in range(r):
        a_b, C_b = load3(pool[a + 3 * b : a + 3 * b + 3]), nine(C, b)
        moved = add(moved, scale(eta[b], a_b))
        going = add(going, scale(rate[b], a_b))
        bent = add(bent, scale(e[b], a_b))
        turned = add(turned, scale(e[b], axial(C_b)))
        E = scaled9(eta[b], C_b, scaled9(eta[b], load9(pool[A0 + 9 * b : A0 + 9 * b + 9]), E))
        Cd = scaled9(rate[b], C_b, Cd)
    return moved, going, bent, turned, E, Cd


@inline
def central(mass, s, A):
    """Inertia about the center of mass (xx xy xz yy yz zz), from A = int u u^T."""
    xx, xy, xz = A[0] - s[0] * s[0] / mass, A[1] - s[0] * s[1] / mass, A[2] - s[0] * s[2] / mass
    yy, yz, zz = A[3] - s[1] * s[1] / mass, A[4] - s[1] * s[2] / mass, A[5] - s[2] * s[2] / mass
    return yy + zz, -xy, -xz, xx + zz, -yz, xx + yy


@inline
def inertia_times(A, w):
    """J w = (tr A 1 - A) w."""
    t = A[0] + A[3] + A[5]
    return (
        t * w[0] - A[0] * w[0] - A[1] * w[1] - A[2] * w[2],
        t * w[1] - A[1] * w[0] - A[3] * w[1] - A[4] * w[2],
        t * w[2] - A[2] * w[0] - A[4] * w[1] - A[5] * w[2],
    )


@inline
def second_moment(pool, first, E):
    """A of the deformed body, six numbers."""
    return (
        pool[first + 3] + E[0],
        pool[first + 4] + 0.5 * (E[1] + E[3]),
        pool[first + 5] + 0.5 * (E[2] + E[6]),
        pool[first + 6] + E[4],
        pool[first + 7] + 0.5 * (E[5] + E[7]),
        pool[first + 8] + E[8],
    )


@internal_kernel
def project_shapes(tables, work, f, R, r_O, w, pull):
    """U, S^T S and the forces on the modes.

    `pull` is w x v of the origin in body axes.
    """
    n, r, pool = f.n, f.r, tables.pool
    at, a = 2 * r * n, f.first + 9 + r * n + (n * r * n if f.curved else 0)
    S, e, p = (
        scratch(work, f, 0, r * n),
        scratch(work, f, at + 2 * r, r),
        scratch(work, f, at + 3 * r, r),
    )
    C, D = scratch(work, f, at + 4 * r, 9 * r), scratch(work, f, at + 13 * r, 9 * r)
    U, Q, M = momenta(work, f), drift(work, f), modal_mass(work, f)
    fill(U, 0.0)
    fill(Q, 0.0)
    fill(M, 0.0)
    square = dot(w, w)
    for b in range(r):
        a_b, C_b = load3(pool[a + 3 * b : a + 3 * b + 3]), nine(C, b)
        spin = dot(w, rotate(C_b, w)) - square * (C_b[0] + C_b[4] + C_b[8])
        p[b] = spin + 2.0 * dot(w, axial(nine(D, b))) + e[b] + dot(a_b, pull)
        force = rotate(R, a_b)
        u = wrench(rotate(R, axial(C_b)), force, r_O)
        row = S[b * n : (b + 1) * n]
        add_scaled(-p[b], row, Q)
        for k in range(n):
            add_to6(U[6 * k : 6 * k + 6], scale6(row[k], u))
            add_scaled(row[k], row[: k + 1], M[k * n : k * n + k + 1])


@internal_kernel
def modal_body(tables, work, f, q, v):
    """Inertia, U, S^T S and velocity terms of one body; needs its pose and velocity.

    Writes bodies (I, bias) of its link and its part of `work.modal`.
    """
    link, body = tables.links[f.link], work.bodies[f.link]
    R, V, r_O = load9(body.R), load6(body.V), sub(load3(body.p), load3(body.O))
    w, v_O = rotate_t(R, angular(V)), rotate_t(R, velocity_at(V, r_O))
    shape_amplitudes(tables, work, f, q, v)
    add_first_moments(tables, work, f)
    moved, going, bent, turned, E, Cd = sums_over_shapes(tables, work, f)
    s = add(load3(tables.pool[f.first : f.first + 3]), moved)
    A, pull = second_moment(tables.pool, f.first, E), cross(w, v_O)
    F = add(
        add(scale(link.mass, pull), cross(w, cross(w, s))), add(scale(2.0, cross(w, going)), bent)
    )
    swing = sub(scale(Cd[0] + Cd[4] + Cd[8], w), rotate_t(Cd, w))
    tau = add(add(cross(s, pull), cross(w, inertia_times(A, w))), add(scale(2.0, swing), turned))
    center = add(r_O, rotate(R, scale(1.0 / link.mass, s)))
    store21(body.I, rigid_inertia(link.mass, center, R, central(link.mass, s, A)))
    store6(body.bias, wrench(rotate(R, tau), rotate(R, F), r_O))
    project_shapes(tables, work, f, R, r_O, w, pull)


@inline
def modal_bodies(tables, work, q, v):
    """All bodies with modes."""
    for k in range(tables.flexible.shape[0]):
        modal_body(tables, work, tables.flexible[k], q, v)


@inline
def modal_momentum(tables, work, f, v):
    """Momentum that the modal speeds add to that of the rigid motion."""
    U, total = momenta(work, f), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for k in range(f.n):
        total = add6(total, scale6(v[f.iv + k], load6(U[6 * k : 6 * k + 6])))
    return total


@inline
def modal_energies(tables, work, v):
    """(kinetic, potential) energy that modes add to those of the undeformed bodies at rest in their
    frames.
    """
    kinetic, potential, g = 0.0, 0.0, load3(tables.settings[0].gravity)
    for j in range(tables.flexible.shape[0]):
        f = tables.flexible[j]
        body, r, at = work.bodies[f.link], f.r, 2 * f.r * f.n
        kinetic += dot6(load6(body.V), modal_momentum(tables, work, f, v))
        eta, rate = scratch(work, f, at, r), scratch(work, f, at + r, r)
        a, moved = (
            f.first + 9 + r * f.n + (f.n * r * f.n if f.curved else 0),
            _NOWHERE,
        )
        for b in range(r):
            kinetic += 0.5 * rate[b] * rate[b]
            moved = add(moved, scale(eta[b], load3(tables.pool[a + 3 * b : a + 3 * b + 3])))
        potential -= dot(g, rotate(load9(body.R), moved))
    return kinetic, potential


@inline
def add_modal_momentum(tables, work, v, out):
    """Add the momentum of the modal speeds, (angular, linear) about the world origin, to out."""
    for j in range(tables.flexible.shape[0]):
        f = tables.flexible[j]
        h = modal_momentum(tables, work, f, v)
        add_to6(
            out, join(add(angular(h), cross(load3(work.bodies[f.link].O), linear(h))), linear(h))
        )


@inline
def add_modal_inertia(tables, work, vdot):
    """Add U qddot to the bias of the bodies: inertia forces of the modal accelerations."""
    for j in range(tables.flexible.shape[0]):
        f = tables.flexible[j]
        add_to6(work.bodies[f.link].bias, modal_momentum(tables, work, f, vdot))


@inline
def add_modal_forces(tables, work):
    """f += drift - U.(A - g) of all modes, at the bodies' accelerations A."""
    gravity = tables.settings[0].gravity
    for j in range(tables.flexible.shape[0]):
        f = tables.flexible[j]
        U, Q = momenta(work, f), drift(work, f)
        A = sub6(load6(work.bodies[f.link].A), (0.0, 0.0, 0.0, gravity[0], gravity[1], gravity[2]))
        for k in range(f.n):
            work.f[f.iv + k] += Q[k] - dot6(load6(U[6 * k : 6 * k + 6]), A)
