"""Unknowns of the blocks: twists of free bodies, and the velocities that a machine's joints allow.

For a machine with coordinates v and rows G of its loops and constraints, a basis Z is found with

    G Z = 0,      Z^T M Z = 1,      v = v* + Z z

It starts as L^-T of M = L L^T. Each row g is expressed in it, a = Z^T g. A reflection maps a to a
multiple of the last unit vector, whose column is dropped. Rows that depend on others have a = 0 and
change nothing. Loops are therefore as exact in the step as the joints of the tree, and the
projection after the step removes what is of second order.
"""

import math

from ...elements.constraints.catalogue import pair
from ...elements.constraints.contract import add_wrench
from ...elements.constraints.coordinates import add_gradient
from ...kernel.algebra.spatial import (
    apply,
    dot6,
    load6,
    rigid_inertia,
)
from ...kernel.algebra.vec3 import (
    add,
    cross,
    load3,
    load9,
    matmul,
    rotate,
    store3,
    store9,
    sub,
)
from ...kernel.decorators import inline, internal_kernel

PAD = 1e-9  # least inertia, relative to that of the block at the length of the model
DEPENDENT = 1e-7  # of the size of a row: what is left of it if others imply it


@inline
def shifted(V, r):
    """Twist about O of a twist V about the point at r from O:  v - w x r."""
    w = (V[0], V[1], V[2])
    v = cross(w, r)
    return V[0], V[1], V[2], V[3] - v[0], V[4] - v[1], V[5] - v[2]


@inline
def transposed(R):
    return R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]


@inline
def inverse_inertia(link, R):
    """Inverse of the central inertia in world axes."""
    J = load6(link.I_com)
    a, b, c = J[3] * J[5] - J[4] * J[4], J[2] * J[4] - J[1] * J[5], J[1] * J[4] - J[2] * J[3]
    det = J[0] * a + J[1] * b + J[2] * c
    d, e, f = J[0] * J[5] - J[2] * J[2], J[1] * J[2] - J[0] * J[4], J[0] * J[3] - J[1] * J[1]
    s = 1.0 / det
    inverse = (s * a, s * b, s * c, s * b, s * d, s * e, s * c, s * e, s * f)
    return matmul(matmul(R, inverse), transposed(R))


@internal_kernel
def write_mass(tables, work, run, k):
    """Inertia of a free body about O into `heap_mass`, 6 x 6."""
    block, O = run.heap_blocks[k], load3(run.heap[0].O)
    b = block.body
    link, body, M = tables.links[b], work.bodies[b], run.heap_mass[block.at :]
    R = load9(body.R)
    center = add(load3(body.p), rotate(R, load3(link.com)))
    I = rigid_inertia(link.mass, sub(center, O), R, load6(link.I_com))
    at = 0
    for i in range(6):
        e = (
            1.0 if i == 0 else 0.0,
            1.0 if i == 1 else 0.0,
            1.0 if i == 2 else 0.0,
            1.0 if i == 3 else 0.0,
            1.0 if i == 4 else 0.0,
            1.0 if i == 5 else 0.0,
        )
        row = apply(I, e)
        for j in range(6):
            M[at + j] = row[j]
        at += 6
    member = run.heap_members[b]
    store3(member.center, center)
    store9(member.mobility, inverse_inertia(link, R))


@internal_kernel
def mass_of_machine(tables, work, run, k):
    """Mass matrix of a machine, n x n, by composite bodies, into `heap_work`."""
    block, dofs, n = run.heap_blocks[k], work.dofs, run.heap_blocks[k].n
    A, lists, composite = run.heap_work, run.heap_lists, run.heap_composite
    for i in range(n * n):
        A[i] = 0.0
    for m in range(block.bodies, block.bodies + block.n_bodies):
        b = lists[m]
        link, body = tables.links[b], work.bodies[b]
        R = load9(body.R)
        r = sub(add(load3(body.p), rotate(R, load3(link.com))), load3(body.O))
        I = rigid_inertia(link.mass, r, R, load6(link.I_com))
        for j in range(21):
            composite[b, j] = I[j]
    for m in range(block.bodies + block.n_bodies - 1, block.bodies - 1, -1):
        b = lists[m]
        link = tables.links[b]
        if link.parent > 0:
            for j in range(21):
                composite[link.parent, j] += composite[b, j]
        c = composite[b]
        I = (
            *(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10]),
            *(c[11], c[12], c[13], c[14], c[15], c[16], c[17], c[18], c[19], c[20]),
        )
        for i in range(link.iv, link.iv + link.nv):
            U, l = apply(I, load6(dofs[i].h)), i
            while l >= 0:
                entry, x, y = dot6(load6(dofs[l].h), U), run.heap_local[i], run.heap_local[l]
                A[n * x + y] = entry
                A[n * y + x] = entry
                l = tables.dof_parent[l]


@internal_kernel
def begin_basis(tables, run, k):
    """Z <- L^-T; its columns are the rows of `heap_basis`, so that column i is contiguous.

    A coordinate without inertia, such as the spin of a thin rod, gets a very small one.
    """
    block, n, A = run.heap_blocks[k], run.heap_blocks[k].n, run.heap_work
    Z = run.heap_basis[block.basis :]
    for j in range(n):
        s = A[n * j + j]
        for m in range(j):
            s -= A[n * j + m] * A[n * j + m]
        if not math.isfinite(s):
            return False
        turns, size = tables.turns[run.heap_lists[block.dofs + j]], tables.settings[0].length
        s = max(s, PAD * block.mass * (size * size if turns > 0.0 else 1.0))
        d = 1.0 / math.sqrt(s)
        A[n * j + j] = d  # inverse diagonal
        for i in range(j + 1, n):
            s = A[n * i + j]
            for m in range(j):
                s -= A[n * i + m] * A[n * j + m]
            A[n * i + j] = s * d
    for c in range(n):  # column c of L^-T is row c of L^-1
        for i in range(n):
            Z[n * c + i] = 0.0
    for c in range(n):
        Z[n * c + c] = A[n * c + c]
        for i in range(c + 1, n):
            s = 0.0
            for m in range(c, i):
                s -= A[n * i + m] * Z[n * m + c]
            Z[n * i + c] = s * A[n * i + i]
    return True


@internal_kernel
def take_row(run, k, m):
    """Drop the direction of the row in `heap_row` from the m columns of Z; returns how many remain."""
    block, n, lists = run.heap_blocks[k], run.heap_blocks[k].n, run.heap_lists
    Z, a = run.heap_basis[block.basis :], run.heap_small
    size, whole = 0.0, 0.0
    for c in range(m):
        s = 0.0
        for i in range(n):
            s += Z[n * c + i] * run.heap_row[lists[block.dofs + i]]
        a[c] = s
        size += s * s
    for i in range(n):
        g = run.heap_row[lists[block.dofs + i]]
        whole += g * g * run.heap_scale[block.row + i]
    if not size > DEPENDENT * DEPENDENT * whole:
        return m
    last = m - 1
    length = math.copysign(math.sqrt(size), a[last])
    a[last] += length  # reflection 1 - 2 a a^T / a.a maps the row to -length e_last
    factor = 1.0 / (length * a[last])
    for i in range(n):
        s = 0.0
        for c in range(m):
            s += a[c] * Z[n * c + i]
        s *= factor
        for c in range(last):
            Z[n * c + i] -= s * a[c]
    return last


@internal_kernel
def restrict(tables, work, run, k):
    """Apply all rows of the machine to its basis."""
    block, lists, n = run.heap_blocks[k], run.heap_lists, run.heap_blocks[k].n
    Z = run.heap_basis[block.basis :]
    for i in range(n):  # diagonal of M^-1, the scale of rows
        s = 0.0
        for c in range(n):
            s += Z[n * c + i] * Z[n * c + i]
        run.heap_scale[block.row + i] = s
    m = n
    for at in range(block.primitives, block.primitives + block.n_primitives):
        p = tables.primitives[lists[at]]
        for r in range(1 if p.sensors > 0 else p.ng):
            for i in range(n):
                run.heap_row[lists[block.dofs + i]] = 0.0
            if p.sensors > 0:
                for term in range(p.term, p.term + p.sensors):
                    sensor, ratio = (
                        tables.sensors[tables.terms[term].sensor],
                        tables.terms[term].ratio,
                    )
                    add_gradient(tables, work, sensor, ratio, run.heap_row)
            else:
                F_i, F_j = pair(p.kind, tables, p, r, work.bodies, work.aims)
                add_wrench(tables.links, work.dofs, p.i, F_i, 1.0, run.heap_row)
                add_wrench(tables.links, work.dofs, p.j, F_j, 1.0, run.heap_row)
            m = take_row(run, k, m)
    return m


@internal_kernel
def write_jacobians(tables, work, run, k):
    """Twists about O of the bodies that have shapes, per unknown: 6 x m, column by column."""
    block, lists, n = run.heap_blocks[k], run.heap_lists, run.heap_blocks[k].n
    Z, O = run.heap_basis[block.basis :], load3(run.heap[0].O)
    for at in range(block.bodies, block.bodies + block.n_bodies):
        b = lists[at]
        member = run.heap_members[b]
        if member.touches == 0:
            continue
        J, r = run.heap_jacobians[member.jacobian :], sub(load3(work.bodies[b].O), O)
        for c in range(block.m):
            V, body = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), b
            while body > 0:
                link = tables.links[body]
                for d in range(link.iv, link.iv + link.nv):
                    h, z = load6(work.dofs[d].h), Z[n * c + run.heap_local[d]]
                    V = (
                        V[0] + z * h[0],
                        V[1] + z * h[1],
                        V[2] + z * h[2],
                        V[3] + z * h[3],
                        V[4] + z * h[4],
                        V[5] + z * h[5],
                    )
                body = link.parent
            V = shifted(V, r)
            for i in range(6):
                J[6 * c + i] = V[i]


@internal_kernel
def body_twists(tables, work, run, v, before):
    """Twists about O of all bodies with velocities v, at the start or free of contacts."""
    O = load3(run.heap[0].O)
    for b in range(1, tables.links.shape[0]):
        link, body = tables.links[b], work.bodies[b]
        V = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if link.parent > 0:
            V = (
                load6(run.heap_members[link.parent].before)
                if before
                else load6(run.heap_members[link.parent].free)
            )
        r = sub(load3(body.O), O)
        W = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for d in range(link.iv, link.iv + link.nv):
            h = load6(work.dofs[d].h)
            W = (
                W[0] + v[d] * h[0],
                W[1] + v[d] * h[1],
                W[2] + v[d] * h[2],
                W[3] + v[d] * h[3],
                W[4] + v[d] * h[4],
                W[5] + v[d] * h[5],
            )
        W = shifted(W, r)
        member = run.heap_members[b]
        for i in range(6):
            if before:
                member.before[i] = V[i] + W[i]
            else:
                member.free[i] = V[i] + W[i]


@internal_kernel
def start_machine(run, k, v, free):
    """M (v - v*) of a machine into row 1 of `heap_x`, from the factor L and its inverse diagonal."""
    block, n, A, lists = run.heap_blocks[k], run.heap_blocks[k].n, run.heap_work, run.heap_lists
    up, down = run.heap_x[1], run.heap_x[2]
    for j in range(n):  # L^T (v - v*)
        dof = lists[block.dofs + j]
        s = (v[dof] - free[dof]) / A[n * j + j]
        for i in range(j + 1, n):
            dof = lists[block.dofs + i]
            s += A[n * i + j] * (v[dof] - free[dof])
        up[block.row + j] = s
    for i in range(n):
        s = up[block.row + i] / A[n * i + i]
        for j in range(i):
            s += A[n * i + j] * up[block.row + j]
        down[block.row + i] = s


@internal_kernel
def start_unknowns(run, k, m):
    """z = Z^T M (v - v*)."""
    block, n = run.heap_blocks[k], run.heap_blocks[k].n
    Z = run.heap_basis[block.basis :]
    for c in range(m):
        s = 0.0
        for i in range(n):
            s += Z[n * c + i] * run.heap_x[2, block.row + i]
        run.heap_x[0, block.row + c] = s


@internal_kernel
def prepare_blocks(tables, work, run, v, free):
    """Masses, bases and Jacobians of all blocks, and the unknowns at which Newton's method starts.

    v are the velocities at the start of the step, `free` those at its end without contacts.
    Returns the block that has no mass, or -1.
    """
    for k in range(run.heap_blocks.shape[0]):
        block = run.heap_blocks[k]
        if block.body > 0:
            write_mass(tables, work, run, k)
            member = run.heap_members[block.body]
            for i in range(6):
                run.heap_x[0, block.row + i] = member.before[i] - member.free[i]
            continue
        mass_of_machine(tables, work, run, k)
        if not begin_basis(tables, run, k):
            return k
        start_machine(run, k, v, free)
        m = restrict(tables, work, run, k)
        start_unknowns(run, k, m)
        if m != block.m:
            block.m = m
            run.heap[0].pattern = 0
        write_jacobians(tables, work, run, k)
    return -1


@internal_kernel
def store_velocities(tables, work, run, v):
    """v <- velocities at the end of the step, from the unknowns; v has those without contacts."""
    O, z = load3(run.heap[0].O), run.heap_x[0]
    for k in range(run.heap_blocks.shape[0]):
        block = run.heap_blocks[k]
        if block.position < 0:
            continue
        if block.body == 0:
            Z, n = run.heap_basis[block.basis :], block.n
            for c in range(block.m):
                for i in range(n):
                    v[run.heap_lists[block.dofs + i]] += z[block.row + c] * Z[n * c + i]
            continue
        body, first = work.bodies[block.body], tables.links[block.body].iv
        V = shifted(load6(z[block.row :]), sub(O, load3(body.p)))
        for d in range(3):
            h = load6(work.dofs[first + d].h)
            v[first + d] += h[3] * V[3] + h[4] * V[4] + h[5] * V[5]
            h = load6(work.dofs[first + 3 + d].h)
            v[first + 3 + d] += h[0] * V[0] + h[1] * V[1] + h[2] * V[2]
