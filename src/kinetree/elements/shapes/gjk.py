"""Distance of two convex sets: the algorithm of Gilbert, Johnson and Keerthi [Gilbert1988], see also
[Ericson2005, sec. 9.5].

The sets are the cores of the shapes (convex.py), which do not touch while the shapes touch. So the
distance v of the cores is well away from zero, and its direction is as exact as the faces of the
shapes. v is the point of the difference B - A next to the origin; it is found in simplices of points

    w = support_B(-v) - support_A(v)

of the difference. The nearest point of a simplex is found among its corners, edges and faces, with
the normal of the edge or face, which loses no digits.
"""

from __future__ import annotations

import math

from ...kernel.algebra.vec3 import add, cross, dot, scale, sub
from ...kernel.decorators import inline, internal_kernel
from .convex_shapes import core
from .manifold import SIMPLEX, load_vertex

AGAIN = 3  # rounds after the distance has come to rest
EQUAL = 1.0 + 1e-14  # a face is preferred to an edge, whose direction is less exact
MOST = 64  # rounds; polytopes need about 10, rims of cylinders up to 40


@inline
def on_edge(p, q):
    """Nearest point of the line p q, and the share of q."""
    e = sub(q, p)
    size = dot(e, e)
    if size == 0.0:
        return p, -1.0
    t = -dot(p, e) / size
    return add(p, scale(t, e)), t


@inline
def on_face(p, q, r):
    """Nearest point of the plane p q r, and the shares of q and r."""
    e, f = sub(q, p), sub(r, p)
    n = cross(e, f)
    size = dot(n, n)
    if size == 0.0:
        return p, -1.0, -1.0
    # p + s e + t f is normal to e and f
    s = dot(cross(f, p), n) / size
    t = dot(cross(p, e), n) / size
    return scale(dot(n, p) / size, n), s, t


@inline
def encloses(p, q, r, s):
    """Whether the origin lies in a tetrahedron."""
    whole = dot(sub(q, p), cross(sub(r, p), sub(s, p)))
    if whole == 0.0:
        return False
    a = dot(q, cross(r, s)) / whole
    b = -dot(p, cross(r, s)) / whole
    c = dot(p, cross(q, s)) / whole
    return a >= 0.0 and b >= 0.0 and c >= 0.0 and 1.0 - a - b - c >= 0.0


@internal_kernel
def reduce_simplex(out, m):
    """Keep the points of the simplex that carry its nearest point, which is returned, the new one
    last.

    Rows SIMPLEX .. have w, the point of A, and the share. Returns the number of points, 0 if the
    origin lies inside, and the nearest point.
    """
    z = load_vertex(out, SIMPLEX + m - 1)
    best, v, i, j, s, t = dot(z, z), z, -1, -1, 0.0, 0.0
    for k in range(m - 1):
        x, share = on_edge(z, load_vertex(out, SIMPLEX + k))
        if 0.0 < share < 1.0 and dot(x, x) <= EQUAL * best:
            best, v, i, j, s, t = dot(x, x), x, k, -1, share, 0.0
    for k in range(m - 1):
        for n in range(k + 1, m - 1):
            x, a, b = on_face(z, load_vertex(out, SIMPLEX + k), load_vertex(out, SIMPLEX + n))
            if a > 0.0 and b > 0.0 and a + b < 1.0 and dot(x, x) <= EQUAL * best:
                best, v, i, j, s, t = dot(x, x), x, k, n, a, b
    if m == 4 and encloses(
        load_vertex(out, SIMPLEX),
        load_vertex(out, SIMPLEX + 1),
        load_vertex(out, SIMPLEX + 2),
        z,
    ):
        return 0, v
    kept = 0
    for k in range(m):
        if k == i or k == j or k == m - 1:
            share = s if k == i else t if k == j else 1.0 - s - t
            for c in range(6):
                out[SIMPLEX + kept, c] = out[SIMPLEX + k, c]
            out[SIMPLEX + kept, 6] = share
            kept += 1
    return kept, v


@internal_kernel
def distance(tables, at_a, at_b, R_a, p_a, R_b, p_b, inset, out):
    """Vector from the core of a to the core of b, and its point on the core of a.

    The vector is zero if the cores touch.
    """
    v, m, least, stalled = sub(p_b, p_a), 0, math.inf, 0
    if dot(v, v) == 0.0:
        v = (0.0, 0.0, 1.0)
    for _ in range(MOST):
        a = core(tables, at_a, R_a, p_a, v, inset)
        b = core(tables, at_b, R_b, p_b, scale(-1.0, v), inset)
        w = sub(b, a)
        known = False
        for k in range(m):
            u = load_vertex(out, SIMPLEX + k)
            known = known or (u[0] == w[0] and u[1] == w[1] and u[2] == w[2])
        if known:
            break
        for c in range(3):
            out[SIMPLEX + m, c], out[SIMPLEX + m, 3 + c] = w[c], a[c]
        m, x = reduce_simplex(out, m + 1)
        if m == 0:
            return (0.0, 0.0, 0.0), p_a
        size = dot(x, x)
        # the direction still improves after the length, which changes with its square
        stalled += 1 if size >= (1.0 - 1e-15) * least else 0
        if stalled > AGAIN or size > EQUAL * least:
            break
        v, least = x, min(size, least)
        if size == 0.0:
            return (0.0, 0.0, 0.0), p_a
    point = (0.0, 0.0, 0.0)
    for k in range(m):
        row = out[SIMPLEX + k]
        point = add(point, scale(row[6], (row[3], row[4], row[5])))
    return v, point
