"""The step as a convex problem in the unknowns z of all blocks, and Newton's method for it.

    min  1/2 |z|_M^2 + sum_c 1/2 |P_K(y_c)|_R^2,     u_c = T_c (V_b - V_a),    V = V_free + J z

    gradient  M z - J^T T^T gamma
    Hessian   M + sum over pairs of a graph Laplacian of K = sum_c T^T (-dgamma/du) T, one symmetric
              6 x 6 matrix for each pair, because all twists are about one point

The step along the Newton direction is found by exact line search, where only contacts are evaluated.
The start is the velocity at the start of the step: contacts at rest then converge at once, without
matching of impulses. The exact law solves the same problem again with the slip mu |u_t| of the last
solution subtracted, `passes` times. [Anitescu2006; DeSaxce1998; Tasora2011]
"""

import math

from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import add6, dot6, join, load6, sub6
from ...kernel.algebra.vec3 import add, cross, dot, load3, scale, sub
from ...kernel.decorators import inline, internal_kernel
from .conjugate_gradients import solve_by_gradients
from .factor import factorize, less6, put6, row6, solve_factors
from .law import OPEN, STICKS, impulse, slip_of, stiffness
from .records import GRADIENT, STEP, Z
from .rows import velocity_between

CAP = 60  # iterations of a step
SEARCHES = 14
ENOUGH = 0.05  # of the first slope: where the line search ends
KEEP, KNOWN, ALL = range(3)  # which slips are computed again


@inline
def put_twists(run, x, along):
    """Twists of all bodies that touch: free ones and J x; with `along` of a direction, J x alone."""
    for k in range(run.heap_touching.shape[0]):
        member = run.heap_members[run.heap_touching[k]]
        V = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if member.block >= 0:
            block = run.heap_blocks[member.block]
            if block.body > 0:
                V = load6(x[block.row :])
            else:
                J = run.heap_jacobians[member.jacobian :]
                for c in range(block.m):
                    z, o = x[block.row + c], 6 * c
                    V = (
                        V[0] + z * J[o],
                        V[1] + z * J[o + 1],
                        V[2] + z * J[o + 2],
                        V[3] + z * J[o + 3],
                        V[4] + z * J[o + 4],
                        V[5] + z * J[o + 5],
                    )
        if along:
            put6(member.along, 0, V)
        else:
            f = load6(member.free)
            put6(
                member.twist,
                0,
                (f[0] + V[0], f[1] + V[1], f[2] + V[2], f[3] + V[3], f[4] + V[4], f[5] + V[5]),
            )


@inline
def times_row(T, o, e):
    """T[o:] . e of a row of a contact."""
    return (T[o] * e[0] + T[o + 1] * e[1] + T[o + 2] * e[2]) + (
        T[o + 3] * e[3] + T[o + 4] * e[4] + T[o + 5] * e[5]
    )


@inline
def along_axes(c, v):
    """Components of a vector along the axes of a contact."""
    return dot(load3(c.n), v), dot(load3(c.t1), v), dot(load3(c.t2), v)


@internal_kernel
def evaluate_contacts(run, slips):
    """u and gamma of all contacts, and the impulses on the bodies."""
    heap = run.heap[0]
    for k in range(run.heap_touching.shape[0]):
        put6(run.heap_members[run.heap_touching[k]].push, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for k in range(heap.pairs):
        pair = run.heap_pairs[k]
        a, b = run.heap_members[pair.body_a], run.heap_members[pair.body_b]
        V, W, f, m = load6(b.twist), load6(a.twist), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for i in range(pair.first, run.heap_pairs[k + 1].first):
            c = run.heap_contacts[i]
            p = load3(c.p)
            u0, u1, u2 = along_axes(c, velocity_between(V, W, p))
            if slips == ALL or (slips == KNOWN and c.known > 0.0):
                c.slip = slip_of(c, u0, u1, u2)
            g0, g1, g2, state, _ = impulse(c, u0, u1, u2)
            c.u[0], c.u[1], c.u[2] = u0, u1, u2
            c.g[0], c.g[1], c.g[2] = g0, g1, g2
            if state != OPEN:
                one = add(
                    add(scale(g0, load3(c.n)), scale(g1, load3(c.t1))), scale(g2, load3(c.t2))
                )
                f, m = add(f, one), add(m, cross(p, one))
        x, y = b.push, a.push
        x[0], x[1], x[2], x[3], x[4], x[5] = add6(load6(x), join(m, f))
        y[0], y[1], y[2], y[3], y[4], y[5] = sub6(load6(y), join(m, f))


@inline
def mass_times(run, block, x, o):
    """M x of a free body."""
    y = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for k in range(6):
        y = less6(y, -x[o + k], row6(run.heap_mass, block.at + 6 * k))
    return y


@internal_kernel
def gradient(run):
    """Gradient of all blocks that touch; returns the largest residual, as a velocity squared."""
    z, g, O, worst = run.heap_x[Z], run.heap_x[GRADIENT], load3(run.heap[0].O), 0.0
    for k in range(run.heap[0].active):
        block = run.heap_blocks[run.heap_columns[k].block]
        if block.body > 0:
            member = run.heap_members[block.body]
            r = sub6(mass_times(run, block, z, block.row), load6(member.push))
            put6(g, block.row, r)
            q = cross(sub(load3(member.center), O), (r[3], r[4], r[5]))
            m = (r[0] - q[0], r[1] - q[1], r[2] - q[2])
            turn = (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) / (member.reach * member.reach)
            size = (r[3] * r[3] + r[4] * r[4] + r[5] * r[5] + turn) / (member.mass * member.mass)
            worst = max(worst, size)
            continue
        for c in range(block.m):
            g[block.row + c] = z[block.row + c]
        for at in range(block.bodies, block.bodies + block.n_bodies):
            member = run.heap_members[run.heap_lists[at]]
            if member.touches == 0:
                continue
            J, f = run.heap_jacobians[member.jacobian :], load6(member.push)
            for c in range(block.m):
                g[block.row + c] -= times_row(J, 6 * c, f)
        size = 0.0
        for c in range(block.m):
            size += g[block.row + c] * g[block.row + c]
        worst = max(worst, size / block.mass)
    return worst


@inline
def add_contact_stiffness(c, K):
    """K <- K + T^T H T of one contact.

    With A = sum of H_ij e_i e_j^T and P v = p x v, the blocks are  [P A P^T, P A; A P^T, A].
    """
    nn, n1, n2, h11, h12, h22 = stiffness(c)
    n, s, t, p = load3(c.n), load3(c.t1), load3(c.t2), load3(c.p)
    x = add(add(scale(nn, n), scale(n1, s)), scale(n2, t))  # A = n x^T + s y^T + t z^T
    y = add(add(scale(n1, n), scale(h11, s)), scale(h12, t))
    z = add(add(scale(n2, n), scale(h12, s)), scale(h22, t))
    a = add(add(scale(n[0], x), scale(s[0], y)), scale(t[0], z))  # rows of A, which is symmetric
    b = add(add(scale(n[1], x), scale(s[1], y)), scale(t[1], z))
    d = add(add(scale(n[2], x), scale(s[2], y)), scale(t[2], z))
    pa, pb, pd = cross(p, a), cross(p, b), cross(p, d)  # columns of P A
    e = cross(p, (pa[0], pb[0], pd[0]))  # rows of P A P^T
    f = cross(p, (pa[1], pb[1], pd[1]))
    g = cross(p, (pa[2], pb[2], pd[2]))
    add_row(K, 0, e, (pa[0], pb[0], pd[0]))
    add_row(K, 6, f, (pa[1], pb[1], pd[1]))
    add_row(K, 12, g, (pa[2], pb[2], pd[2]))
    add_row(K, 18, pa, a)
    add_row(K, 24, pb, b)
    add_row(K, 30, pd, d)


@inline
def add_row(K, o, a, b):
    k = row6(K, o)
    put6(K, o, (k[0] + a[0], k[1] + a[1], k[2] + a[2], k[3] + b[0], k[4] + b[1], k[5] + b[2]))


@inline
def add_block(A, o, sign, K):
    """A[o:] <- A[o:] + sign K, blocks of six."""
    for r in range(6):
        put6(A, o + 6 * r, less6(row6(A, o + 6 * r), -sign, row6(K, 6 * r)))


@internal_kernel
def add_projected(run, A, o, sign, body, other, K):
    """A[o:] <- A[o:] + sign J^T K J' with the Jacobians of two bodies of any blocks."""
    a, b = run.heap_members[body], run.heap_members[other]
    left, right = run.heap_blocks[a.block], run.heap_blocks[b.block]
    for r in range(left.m):
        x = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if left.body > 0:
            x = row6(K, 6 * r)
        else:
            J = run.heap_jacobians[a.jacobian :]
            for k in range(6):
                f, y = J[6 * r + k], row6(K, 6 * k)
                x = (
                    x[0] + f * y[0],
                    x[1] + f * y[1],
                    x[2] + f * y[2],
                    x[3] + f * y[3],
                    x[4] + f * y[4],
                    x[5] + f * y[5],
                )
        if right.body > 0:
            for s in range(6):
                A[o + 6 * r + s] += sign * x[s]
        else:
            J = run.heap_jacobians[b.jacobian :]
            for s in range(right.m):
                A[o + right.m * r + s] += sign * times_row(J, 6 * s, x)


@internal_kernel
def add_pair(run, k, K):
    """Add the matrix of a pair to the blocks of its bodies."""
    pair, D, B = run.heap_pairs[k], run.heap_pivots, run.heap_below
    for side in range(2):
        b = pair.block_a if side == 0 else pair.block_b
        body = pair.body_a if side == 0 else pair.body_b
        if b < 0:
            continue
        block = run.heap_blocks[b]
        if block.body > 0:
            add_block(D, block.at, 1.0, K)
        else:
            add_projected(run, D, block.at, 1.0, body, body, K)
    if pair.entry >= 0:
        a, b, at = (
            run.heap_blocks[pair.block_a],
            run.heap_blocks[pair.block_b],
            run.heap_entries[pair.entry].at,
        )
        if a.body > 0 and b.body > 0:
            add_block(B, at, -1.0, K)
        elif a.position < b.position:
            add_projected(run, B, at, -1.0, pair.body_a, pair.body_b, K)
        else:
            add_projected(run, B, at, -1.0, pair.body_b, pair.body_a, K)
    elif pair.block_a >= 0 and pair.block_a == pair.block_b:
        at = run.heap_blocks[pair.block_a].at
        add_projected(run, D, at, -1.0, pair.body_a, pair.body_b, K)
        add_projected(run, D, at, -1.0, pair.body_b, pair.body_a, K)


@internal_kernel
def assemble(run):
    """The Hessian: diagonal blocks into `heap_pivots`, the others into `heap_below`."""
    heap, D, K = run.heap[0], run.heap_pivots, run.heap_stiffness
    for i in range(heap.numbers):
        run.heap_below[i] = 0.0
    for k in range(heap.active):
        block = run.heap_blocks[run.heap_columns[k].block]
        if block.body > 0:
            for i in range(36):
                D[block.at + i] = run.heap_mass[block.at + i]
            continue
        for i in range(block.m * block.m):
            D[block.at + i] = 0.0
        for i in range(block.m):
            D[block.at + (block.m + 1) * i] = 1.0
    for k in range(heap.pairs):
        first, last, touches = run.heap_pairs[k].first, run.heap_pairs[k + 1].first, False
        for i in range(first, last):
            if run.heap_contacts[i].g[0] > 0.0:
                if not touches:
                    fill(K, 0.0)
                    touches = True
                add_contact_stiffness(run.heap_contacts[i], K)
        if touches:
            add_pair(run, k, K)


@internal_kernel
def inertia_along(run):
    """z^T M d and d^T M d for the direction d."""
    z, d, first, second = run.heap_x[Z], run.heap_x[STEP], 0.0, 0.0
    for k in range(run.heap[0].active):
        block = run.heap_blocks[run.heap_columns[k].block]
        o = block.row
        if block.body > 0:
            y = mass_times(run, block, d, o)
            first += dot6(row6(z, o), y)
            second += dot6(row6(d, o), y)
        else:
            for i in range(block.m):
                first += z[o + i] * d[o + i]
                second += d[o + i] * d[o + i]
    return first, second


@internal_kernel
def contacts_along(run):
    """Velocities of all contacts along the direction."""
    for k in range(run.heap[0].pairs):
        pair = run.heap_pairs[k]
        V = load6(run.heap_members[pair.body_b].along)
        W = load6(run.heap_members[pair.body_a].along)
        for i in range(pair.first, run.heap_pairs[k + 1].first):
            c = run.heap_contacts[i]
            c.du[0], c.du[1], c.du[2] = along_axes(c, velocity_between(V, W, load3(c.p)))


@internal_kernel
def slope(run, s, first, second):
    """Derivatives of the objective at z + s d; inertia has first + s second."""
    f, g = first + s * second, second
    for i in range(run.heap[0].contacts):
        c = run.heap_contacts[i]
        d0, d1, d2 = c.du[0], c.du[1], c.du[2]
        g0, g1, g2, state, yr = impulse(c, c.u[0] + s * d0, c.u[1] + s * d1, c.u[2] + s * d2)
        if state == OPEN:
            continue
        f -= g0 * d0 + g1 * d1 + g2 * d2
        if state == STICKS:
            g += d0 * d0 * c.kn + (d1 * d1 + d2 * d2) * c.kt
        elif c.mu * g0 > 0.0:
            load = c.mu * g0
            t = (g1 * d1 + g2 * d2) / load
            along = d0 + c.mu * t
            g += along * along * c.kn * c.share
            g += load * c.kt / yr * (d1 * d1 + d2 * d2 - t * t)
        else:
            g += d0 * d0 * c.kn
    return f, g


@internal_kernel
def search(run):
    """Length of the step along the direction, by a safeguarded Newton method in one variable."""
    first, second = inertia_along(run)
    s, low, high = 1.0, 0.0, -1.0
    start, _ = slope(run, 0.0, first, second)
    for _ in range(SEARCHES):
        f, g = slope(run, s, first, second)
        if abs(f) <= ENOUGH * abs(start):
            break
        if f < 0.0:
            low = s
        else:
            high = s
        new = s - f / g
        if high < 0.0:
            s = min(new, 2.0 * s) if new > low else 2.0 * s
        else:
            s = new if low < new < high else 0.5 * (low + high)
    return s


@internal_kernel
def newton_step(run):
    """One Newton step with line search; False if the matrix cannot be factorized."""
    heap, z, d, g = run.heap[0], run.heap_x[Z], run.heap_x[STEP], run.heap_x[GRADIENT]
    assemble(run)
    for k in range(heap.active):
        block = run.heap_blocks[run.heap_columns[k].block]
        for i in range(block.row, block.row + block.m):
            d[i] = -g[i]
    if heap.direct == 1:
        if not factorize(run):
            return False
        solve_factors(run, d)
    elif not solve_by_gradients(run):
        return False
    put_twists(run, d, True)
    contacts_along(run)
    s = search(run)
    for k in range(heap.active):
        block = run.heap_blocks[run.heap_columns[k].block]
        for i in range(block.row, block.row + block.m):
            z[i] += s * d[i]
    return True


@internal_kernel
def minimize(run):
    """Solve the problem of the step; returns 0, or 1 if it did not converge, 2 if it failed."""
    heap, passed = run.heap[0], 0
    slips = KNOWN if heap.passes > 0 else KEEP
    limit = heap.tolerance * heap.tolerance
    for _count in range(CAP * (1 + heap.passes)):
        put_twists(run, run.heap_x[Z], False)
        evaluate_contacts(run, slips)
        residual = gradient(run)
        heap.residual = math.sqrt(residual)
        if not math.isfinite(residual):
            return 2
        if residual <= limit:
            passed += 1
            if slips == ALL or passed >= heap.passes:
                return 0
            slips = ALL
            continue
        slips = KEEP
        heap.iterations += 1
        if not newton_step(run):
            return 2
    heap.capped += 1
    return 1
