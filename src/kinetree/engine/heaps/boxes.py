"""Two boxes: the separating axis of least overlap, then the points of one face inside the other.

Fifteen axes are compared: three faces of each box, and nine products of edges [Ericson2005, sec.
4.4.1]. If a face wins, the facing side of the other box is clipped to it, which gives up to eight
points; if two edges win, there is one point between them. A face is preferred to edges that are
slightly better, and clipping has a tolerance: otherwise a wall of equal bricks has contacts that
come and go by rounding.
"""

import math

from ...kernel.algebra.vec3 import add, load3, load9, rotate, rotate_t, scale, sub
from ...kernel.decorators import inline, internal_kernel
from .points import add_contact

NEXT_BEST = 1e-5  # of the size: by this much a face of b must be better than one of a
PREFER = 1e-4  # ... and edges better than a face
SLANTED = 1e-4  # squared sine of the angle of two edges below which they count as parallel
TOLERANCE = 1e-3  # of the face to which points are clipped
INSIDE = 1.005  # of the face: points that need no clipping
APART = -1
# rows of the scratch: two polygons of at most 12 points, and values of the axes
FIRST, SECOND, AXES = 0, 1, 2
D, Q, HALF_A, HALF_B, DIRECTION = 0, 1, 4, 5, 6  # rows of AXES; Q has three


@inline
def begin(tables, run, i, j):
    """Center of box j and its axes, in the frame of box i, and the half sides; all in AXES."""
    a, b, w = run.heap_shapes[i], run.heap_shapes[j], run.heap_scratch[AXES]
    R = load9(a.R)
    d = rotate_t(R, sub(load3(b.p), load3(a.p)))
    for m in range(3):
        w[HALF_A, m], w[HALF_B, m] = tables.pool[a.at + m], tables.pool[b.at + m]
    w[D, 0], w[D, 1], w[D, 2] = d
    for m in range(3):
        q = rotate_t(R, (b.R[m], b.R[3 + m], b.R[6 + m]))
        w[Q, m], w[Q + 1, m], w[Q + 2, m] = q


@internal_kernel
def best_axis(run, margin):
    """Axis of least overlap: 0 to 2 a face of a, 3 to 5 of b, 6 to 14 edges; APART if none touch.

    Writes the direction of edges from a to b, and the sign of a face, to DIRECTION.
    """
    w = run.heap_scratch[AXES]
    size = w[HALF_A, 0] + w[HALF_A, 1] + w[HALF_A, 2] + w[HALF_B, 0] + w[HALF_B, 1] + w[HALF_B, 2]
    best, kind, sign = -1e300, APART, 1.0
    for i in range(3):
        s = abs(w[D, i]) - w[HALF_A, i]
        for m in range(3):
            s -= abs(w[Q + i, m]) * w[HALF_B, m]
        if s > margin:
            return APART
        if s > best:
            best, kind, sign = s, i, 1.0 if w[D, i] > 0.0 else -1.0
    for j in range(3):
        e = w[D, 0] * w[Q, j] + w[D, 1] * w[Q + 1, j] + w[D, 2] * w[Q + 2, j]
        s = abs(e) - w[HALF_B, j]
        for m in range(3):
            s -= abs(w[Q + m, j]) * w[HALF_A, m]
        if s > margin:
            return APART
        if s > best + NEXT_BEST * size:
            best, kind, sign = s, 3 + j, 1.0 if e > 0.0 else -1.0
    w[DIRECTION, 2] = sign
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            l1, l2 = -w[Q + i2, j], w[Q + i1, j]  # edge i of a times edge j of b, in the frame of a
            square = l1 * l1 + l2 * l2
            if square < SLANTED:
                continue
            factor = 1.0 / math.sqrt(square)
            l1, l2 = l1 * factor, l2 * factor
            e = w[D, i1] * l1 + w[D, i2] * l2
            s = abs(e) - w[HALF_A, i1] * abs(l1) - w[HALF_A, i2] * abs(l2)
            for m in range(3):
                if m != j:
                    s -= w[HALF_B, m] * abs(l1 * w[Q + i1, m] + l2 * w[Q + i2, m])
            if s > margin:
                return APART
            if s > best + PREFER * size:
                best, kind = s, 6 + 3 * i + j
                sign = 1.0 if e > 0.0 else -1.0
                w[DIRECTION, i] = 0.0
                w[DIRECTION, i1], w[DIRECTION, i2] = sign * l1, sign * l2
    w[DIRECTION + 1, 0] = best
    return kind


@internal_kernel
def edges(run, i, j, edge_a, edge_b):
    """One contact midway between an edge of each box."""
    w, a = run.heap_scratch[AXES], run.heap_shapes[i]
    n = (w[DIRECTION, 0], w[DIRECTION, 1], w[DIRECTION, 2])
    p, q, e = w[8], w[9], (w[Q, edge_b], w[Q + 1, edge_b], w[Q + 2, edge_b])
    for m in range(3):
        p[m] = 0.0 if m == edge_a else math.copysign(w[HALF_A, m], w[DIRECTION, m])
        q[m] = w[D, m]
    for m in range(3):
        if m != edge_b:
            along = n[0] * w[Q, m] + n[1] * w[Q + 1, m] + n[2] * w[Q + 2, m]
            s = -math.copysign(w[HALF_B, m], along)
            for l in range(3):
                q[l] += s * w[Q + l, m]
    r = (q[0] - p[0], q[1] - p[1], q[2] - p[2])  # the nearest points p + s e_a and q + t e
    c, along_a, along_b = w[Q + edge_a, edge_b], q[edge_a] - p[edge_a], r[0] * e[0]
    along_b += r[1] * e[1] + r[2] * e[2]
    t = (c * along_a - along_b) / (1.0 - c * c)
    p[edge_a] += along_a + t * c
    middle = (
        0.5 * (p[0] + q[0] + t * e[0]),
        0.5 * (p[1] + q[1] + t * e[1]),
        0.5 * (p[2] + q[2] + t * e[2]),
    )
    R = load9(a.R)
    add_contact(run, add(load3(a.p), rotate(R, middle)), rotate(R, n), w[DIRECTION + 1, 0])


@inline
def clip(P, Z, n, dim, sign, limit):
    """Clip a polygon P of n points to sign x_dim <= limit; returns the number of points in Z."""
    count, slack = 0, TOLERANCE * limit
    for c in range(n):
        k = c + 1 if c + 1 < n else 0
        a, b = sign * P[c, dim] - limit, sign * P[k, dim] - limit
        if a <= slack:
            for m in range(3):
                Z[count, m] = P[c, m]
            count += 1
        if (a < -slack and b > slack) or (b < -slack and a > slack):
            t = a / (a - b)
            for m in range(3):
                Z[count, m] = P[c, m] + t * (P[k, m] - P[c, m])
            count += 1
    return count


@internal_kernel
def faces(tables, run, r, s, axis, sign, flip, margin):
    """Clip the facing side of box s to side `axis` of box r; the normal is `sign` times its axis."""
    a, b, P = run.heap_shapes[r], run.heap_shapes[s], run.heap_scratch[FIRST]
    u, v = (axis + 1) % 3, (axis + 2) % 3
    Ra, Rb = load9(a.R), load9(b.R)
    n = (sign * a.R[axis], sign * a.R[3 + axis], sign * a.R[6 + axis])
    side, top, away = 0, -1.0, 1.0
    for j in range(3):
        along = n[0] * b.R[j] + n[1] * b.R[3 + j] + n[2] * b.R[6 + j]
        if abs(along) > top:
            top, side, away = abs(along), j, -1.0 if along > 0.0 else 1.0
    hu, hv, hn = tables.pool[a.at + u], tables.pool[a.at + v], tables.pool[a.at + axis]
    m1, m2 = (side + 1) % 3, (side + 2) % 3
    corner, w = run.heap_scratch[AXES, 10], run.heap_scratch[AXES, 11]
    inside, count, R = True, 4, rotate_t(Ra, sub(load3(b.p), load3(a.p)))
    for c in range(4):
        corner[side] = away * tables.pool[b.at + side]
        corner[m1] = tables.pool[b.at + m1] if c == 0 or c == 3 else -tables.pool[b.at + m1]
        corner[m2] = tables.pool[b.at + m2] if c < 2 else -tables.pool[b.at + m2]
        local = rotate_t(Ra, rotate(Rb, (corner[0], corner[1], corner[2])))
        w[0], w[1], w[2] = local[0] + R[0], local[1] + R[1], local[2] + R[2]
        P[c, 0], P[c, 1], P[c, 2] = w[u], w[v], sign * w[axis] - hn
        if abs(P[c, 0]) > INSIDE * hu or abs(P[c, 1]) > INSIDE * hv:
            inside = False
    at = FIRST
    if not inside:
        for e in range(4):
            dim, way = e // 2, 1.0 if e % 2 == 1 else -1.0
            count = clip(
                run.heap_scratch[at],
                run.heap_scratch[1 - at],
                count,
                dim,
                way,
                hu if dim == 0 else hv,
            )
            at = 1 - at
    P = run.heap_scratch[at]
    for c in range(count):
        gap = P[c, 2]
        if gap < margin:
            w[u], w[v], w[axis] = P[c, 0], P[c, 1], sign * (hn + 0.5 * gap)
            point = add(load3(a.p), rotate(Ra, (w[0], w[1], w[2])))
            add_contact(run, point, scale(flip, n), gap)


@internal_kernel
def meet_boxes(tables, run, i, j, margin):
    """Contacts of boxes i and j."""
    begin(tables, run, i, j)
    kind = best_axis(run, margin)
    if kind == APART:
        return
    if kind >= 6:
        edges(run, i, j, (kind - 6) // 3, (kind - 6) % 3)
    elif kind >= 3:
        faces(tables, run, j, i, kind - 3, -run.heap_scratch[AXES, DIRECTION, 2], -1.0, margin)
    else:
        faces(tables, run, i, j, kind, run.heap_scratch[AXES, DIRECTION, 2], 1.0, margin)
