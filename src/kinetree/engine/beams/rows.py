"""Joints and constraints over a step: equations at its end, and reactions that do no work in it.

The rows are bilinear in points and directions, so that their wrench pairs *at the averages* are
exact discrete derivatives:  g_f - g_i = G_a (d, r).  With g = 0 at both ends the reactions
-G_a^T lam do no work. Only an angle between frames needs a correction of its axis, along the
relative rotation rho = r_j - r_i, until it is a divided difference:

    s_f - s_i = (a + rho (s_f - s_i - a.rho) / rho.rho) . rho

Rows that a joint brings itself, as those of a point on a curve, and those of user code, are not
bilinear: a small force along the relative motion is added, so that they do no work either. The same
holds for rolling wheels. Rows of velocities alone have increments instead of a g:

    G_a (d, r) = h b        so that their reactions do no work, or that of b exactly

    residual   f + G_a^T lam,   g(end)           matrix   [ K + d(G_a^T lam)/dq_f    G_a^T ]
                                                          [ G_f                       0    ]

The derivative of G_a^T lam by the end is a difference quotient: the rows are few, and its errors do
not slow Newton's method. An orientation prescribed in time is also evaluated at the middle.
"""

from ...elements.constraints.catalogue import CURVED, pair, value
from ...elements.constraints.contract import arms
from ...elements.constraints.user_relation import find_ratios, ratio
from ...elements.joints.sensors import TURN_X, TURN_Z, axis_over, sensor_wrench
from ...kernel.algebra.spatial import add_to6, join, scale6, store6
from ...kernel.algebra.vec3 import add, cross, dot, load3, neg, scale, sub
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.poses import AVERAGE, END
from ..dynamics.constraint import any_relation_value, drift, evaluate_aims, prescribed
from .nodal import place_body, shift_node, to_center, update_pose

ZERO = (0.0, 0.0, 0.0)
INCREMENT = 1e-6  # of difference quotients, in lengths of the model and rad
ALL_ROWS = -1
RESTING = 1e-24  # of the squared relative motion over a step, in sizes of the model: rounding
ROUNDING = 1e-9  # of a row that acts across the plane: its part in the plane


@inline
def push_sensor(tables, work, sensor, factor, average):
    """Add factor times the wrench pair of a coordinate to its bodies."""
    if average == AVERAGE and TURN_X <= sensor.kind <= TURN_Z:
        a, _ = axis_over(work, sensor)
        F_i, F_j = join(neg(a), ZERO), join(a, ZERO)
    else:
        F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
    add_to6(work.bodies[sensor.i].F, scale6(factor, F_i))
    add_to6(work.bodies[sensor.j].F, scale6(factor, F_j))


@inline
def push_row(tables, work, n, k, factor, average):
    """Add factor times row k of a primitive to its bodies."""
    p = tables.primitives[n]
    if p.sensors > 0:
        if p.aim >= 0:
            find_ratios(tables, work, p)
        for m in range(p.term, p.term + p.sensors):
            push_sensor(
                tables,
                work,
                tables.sensors[tables.terms[m].sensor],
                factor * ratio(tables, work, p, m),
                average,
            )
        return
    F_i, F_j = pair(p.kind, tables, p, k, work.bodies, work.aims)
    add_to6(work.bodies[p.i].F, scale6(factor, F_i))
    add_to6(work.bodies[p.j].F, scale6(factor, F_j))


@internal_kernel
def plain_wrench(tables, work, n, k, average, out):
    """Wrenches of row k of a primitive, or of all rows times their multipliers, of its kernels.

    Writes  work.wrenches[out], one row per body
    """
    p, at = tables.primitives[n], tables.spots[n]
    store6(work.bodies[0].F, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for b in range(tables.spots[at]):
        store6(work.bodies[tables.spots[at + 1 + b]].F, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    if k == ALL_ROWS:
        for row in range(p.ng):
            push_row(tables, work, n, row, work.multipliers[p.ig + row], average)
    else:
        push_row(tables, work, n, k, 1.0, average)
    for b in range(tables.spots[at]):
        to_center(tables, work, tables.spots[at + 1 + b], work.wrenches[out, b])


@kernel
def row_wrench(tables, work, n, k, average, out):
    """`plain_wrench`, without the work that rows do that are not bilinear."""
    plain_wrench(tables, work, n, k, average, out)
    p = tables.primitives[n]
    if average == AVERAGE and p.sensors == 0 and p.kind >= CURVED and not does_work(tables, p):
        take_off_work(tables, work, n, out)


@inline
def does_work(tables, p):
    """Whether the rows are user code that may do work: of time, or of velocities."""
    return p.aim >= 0 and (tables.aims[p.aim].runs > 0.0 or p.rates[0] > 0)


@inline
def way_over(work, b, p):
    """How far the point p of a body goes over the step, p in the world at the average."""
    node = work.nodes[b]
    arm = sub(p, load3(work.poses[AVERAGE, b]))
    return add(load3(node.d), cross(load3(node.r), arm)), arm


@inline
def take_off_work(tables, work, n, out):
    """Rows that are not bilinear: a force along the slip of M on F, and a couple along their
    relative turn, such that `work.wrenches[out]` does no work over the step, and the bodies keep
    their momentum.
    """
    p, at, L = tables.primitives[n], tables.spots[n], tables.settings[0].length
    point = arms(p, work.bodies)[1]
    slip = way_over(work, p.j, point)[0]
    if p.i > 0:
        slip = sub(slip, way_over(work, p.i, point)[0])
    turn = sub(load3(work.nodes[p.j].r), load3(work.nodes[p.i].r))
    done, square = 0.0, dot(slip, slip) + L * L * dot(turn, turn)
    for b in range(tables.spots[at]):
        node = work.nodes[tables.spots[at + 1 + b]]
        for j in range(3):
            done += work.wrenches[out, b, j] * node.d[j] + work.wrenches[out, b, 3 + j] * node.r[j]
    if square < RESTING * L * L:
        return
    for b in range(tables.spots[at]):
        body = tables.spots[at + 1 + b]
        factor = -done / square if body == p.j else done / square
        couple = add(scale(L * L, turn), cross(way_over(work, body, point)[1], slip))
        for j in range(3):
            work.wrenches[out, b, j] += factor * slip[j]
            work.wrenches[out, b, 3 + j] += factor * couple[j]


@kernel
def place_attached(tables, work, place):
    """Place all bodies with joints or forces at a row of `work.poses`."""
    at = tables.spots[tables.primitives.shape[0] + tables.forces.shape[0]]
    for b in range(tables.spots[at]):
        place_body(tables, work, tables.spots[at + 1 + b], place)


@inline
def first_row(tables):
    """Index of the first multiplier among the unknowns."""
    return tables.freedoms.shape[0] * (tables.links.shape[0] - 1)


@inline
def own_blocks(tables, n):
    """Positions in `spots` for primitive n.

    Returns the position of its list, its number of bodies, the position of its own blocks, the
    number of rows of its owner, and the index of its first row among them.
    """
    at = tables.spots[n]
    count = tables.spots[at]
    own = at + 1 + count + count * count
    return at, count, own, tables.spots[own + 2 * count + 1], tables.spots[own + 2 * count + 2]


@inline
def acts_across_plane(tables, work, count):
    """Whether the row in `work.wrenches[0]` acts only across the plane of a planar model."""
    inside, whole = 0.0, 0.0
    for b in range(count):
        for j in range(tables.freedoms.shape[0]):
            inside = max(inside, abs(work.wrenches[0, b, tables.freedoms[j]]))
        for j in range(6):
            whole = max(whole, abs(work.wrenches[0, b, j]))
    return tables.freedoms.shape[0] < 6 and inside <= ROUNDING * whole


@inline
def put_row(tables, work, n, k):
    """Add row k of a primitive, in `work.wrenches[0]`, to its blocks (rows, body)."""
    _, count, own, _, first = own_blocks(tables, n)
    size = tables.freedoms.shape[0]
    if acts_across_plane(tables, work, count):
        return
    for b in range(count):
        o = tables.spots[own + b] + size * (first + k)
        for j in range(size):
            work.matrix[o + j] += work.wrenches[0, b, tables.freedoms[j]]


@inline
def put_column(tables, work, n, k):
    """Add row k of a primitive, in `work.wrenches[0]`, to its blocks (body, rows)."""
    _, count, own, rows, first = own_blocks(tables, n)
    if acts_across_plane(tables, work, count):
        return
    for b in range(count):
        o = tables.spots[own + count + b] + first + k
        for j in range(tables.freedoms.shape[0]):
            work.matrix[o + rows * j] += work.wrenches[0, b, tables.freedoms[j]]


@inline
def some_rows(tables, work, both):
    """Add G to the matrix, with `both` also its transpose, otherwise without rows of velocities."""
    for n in range(tables.primitives.shape[0]):
        for k in range(tables.primitives[n].ng):
            if tables.primitives[n].rates[k] > 0 and not both:
                continue
            row_wrench(tables, work, n, k, END, 0)
            put_row(tables, work, n, k)
            if both:
                put_column(tables, work, n, k)


@kernel
def rows_at_rest(tables, work):
    """Add G and its transpose at the present poses of the bodies."""
    some_rows(tables, work, True)


@kernel
def equations(tables, work, t, x):
    """Write g at the end into the residual; the bodies are at the end."""
    evaluate_aims(tables, work, t)
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        row = first_row(tables) + p.ig
        if p.sensors > 0:
            # no coordinate belongs to the tree
            work.unbalanced[row] = any_relation_value(tables, work, p, x, x)
        else:
            for k in range(p.ng):
                work.unbalanced[row + k] = value(p.kind, tables, p, k, work.bodies, work.aims)
        if p.signal >= 0:
            work.unbalanced[row] -= prescribed(tables, work, n, 0, t)[0]


@kernel
def end_rows(tables, work):
    """Add G at the end to the blocks (rows, body); the bodies are at the end."""
    some_rows(tables, work, False)


@kernel
def average_rows(tables, work, average, h, method, rho, tangent):
    """Add G_a^T lam to the residual, and G_a^T and the stiffness of lam to the matrix.

    The bodies are at the average.
    """
    size = tables.freedoms.shape[0]
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        at, count, _, _, _ = own_blocks(tables, n)
        row_wrench(tables, work, n, ALL_ROWS, average, 0)
        for b in range(count):
            f = size * (tables.spots[at + 1 + b] - 1)
            for j in range(size):
                work.unbalanced[f + j] += work.wrenches[0, b, tables.freedoms[j]]
        for k in range(p.ng):
            if p.rates[k] > 0:
                work.unbalanced[first_row(tables) + p.ig + k] = way_along_row(
                    tables, work, n, k, average, h
                )
        if not tangent:
            continue
        for k in range(p.ng):
            if p.rates[k] > 0:
                difference_ways(tables, work, n, k, average, h, method, rho)
        for k in range(p.ng):
            row_wrench(tables, work, n, k, average, 0)
            put_column(tables, work, n, k)
        # points and directions depend on the rotation only
        changes = 0 if p.sensors > 0 or p.kind > 1 else 3
        for b in range(count):
            for j in range(size):
                if tables.freedoms[j] >= changes:
                    difference_rows(tables, work, n, b, j, average, h, method, rho)


@inline
def way_along_row(tables, work, n, k, average, h):
    """G_a (d, r) + h b of a row of velocities; for generalized alpha h times its value at END."""
    p, at = tables.primitives[n], tables.spots[n]
    plain_wrench(tables, work, n, k, average, 0)
    total = h * drift(tables, work, p, k) if p.aim >= 0 else 0.0
    for b in range(tables.spots[at]):
        body, W = tables.spots[at + 1 + b], work.wrenches[0, b]
        node, V = work.nodes[body], work.rates[body]
        for j in range(3):
            if average == AVERAGE:
                total += W[j] * node.d[j] + W[3 + j] * node.r[j]
            else:
                total += h * (W[j] * V[3 + j] + W[3 + j] * V[j])
    return total


@inline
def difference_ways(tables, work, n, k, average, h, method, rho):
    """Add the derivatives of `way_along_row` to the block (rows, body)."""
    at, count, own, _, first = own_blocks(tables, n)
    size = tables.freedoms.shape[0]
    for b in range(count):
        body, o = tables.spots[at + 1 + b], tables.spots[own + b] + size * (first + k)
        for j in range(size):
            e = INCREMENT * tables.settings[0].length if tables.freedoms[j] < 3 else INCREMENT
            change = 0.0
            for side in range(2):
                sign = 1.0 if side == 0 else -1.0
                perturb_node(tables, work, body, tables.freedoms[j], sign * e, h, method, rho)
                place_body(tables, work, body, average)
                change += sign * way_along_row(tables, work, n, k, average, h)
                restore_node(tables, work, body)
            place_body(tables, work, body, average)
            work.matrix[o + j] += 0.5 * change / e


@inline
def difference_rows(tables, work, n, b, j, average, h, method, rho):
    """Derivative of the wrenches of a primitive by component j of its node b."""
    at, body = tables.spots[n], tables.spots[tables.spots[n] + 1 + b]
    e = INCREMENT * tables.settings[0].length if tables.freedoms[j] < 3 else INCREMENT
    for side in range(2):
        perturb_node(tables, work, body, tables.freedoms[j], e if side == 0 else -e, h, method, rho)
        place_body(tables, work, body, average)
        row_wrench(tables, work, n, ALL_ROWS, average, 1 + side)
        restore_node(tables, work, body)
    place_body(tables, work, body, average)
    put_change(tables, work, at, b, j, 0.5 / e)


@inline
def put_change(tables, work, at, b, j, s):
    """Add s times the difference of wrenches 1 and 2 to column j of node b, for all nodes."""
    count, size = tables.spots[at], tables.freedoms.shape[0]
    for c in range(count):
        o = tables.spots[at + 1 + count + count * c + b] + j
        for k in range(size):
            i = tables.freedoms[k]
            work.matrix[o + size * k] += s * (work.wrenches[1, c, i] - work.wrenches[2, c, i])


@inline
def perturb_node(tables, work, b, j, e, h, method, rho):
    """Move the end of node b by e in one of its six directions; its values are saved."""
    node, keep = work.nodes[b], work.keep
    for place in range(4):
        for k in range(12):
            keep[place, k] = work.poses[place, b, k]
    for k in range(3):
        keep[4, k], keep[4, 3 + k] = node.d[k], node.r[k]
    for k in range(6):
        keep[4, 6 + k] = work.rates[b, k]
    shift_node(
        work,
        b,
        (e if j == 0 else 0.0, e if j == 1 else 0.0, e if j == 2 else 0.0),
        (e if j == 3 else 0.0, e if j == 4 else 0.0, e if j == 5 else 0.0),
    )
    update_pose(tables, work, b, h, method, rho)


@inline
def restore_node(tables, work, b):
    """Restore the saved values of a perturbed node."""
    node, keep = work.nodes[b], work.keep
    for place in range(4):
        for k in range(12):
            work.poses[place, b, k] = keep[place, k]
    for k in range(3):
        node.d[k], node.r[k] = keep[4, k], keep[4, 3 + k]
    for k in range(6):
        work.rates[b, k] = keep[4, 6 + k]
