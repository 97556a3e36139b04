"""Contact of convex shapes: their distance, and the overlap of the faces that look at each other.

The direction n from a to b is that of the distance of two cores (gjk.py). The core of a ball or a
capsule is its point or its segment. Those of other shapes are smaller than the shape by a small part
of its thickness if neither shape has a radius, so that they are still apart when the shapes touch.
Faces and edges of such a core are parallel to those of the shape: n is exact, and it changes
smoothly from one face to the next.

The gap along n is exact too, since it is measured on the shapes themselves:

    s = n . (support_B(-n) - support_A(n)) - r_a - r_b          at the nearest points
    gap(u, v) = h_B(u, v) - h_A(u, v) - r_a - r_b               at the corners of the overlap (clip.py)

Where the cores touch, in contacts deeper than INSET of the thickness, n is the normal of a face, of
all faces of both shapes the one with the largest s.
"""

from __future__ import annotations

import math

from ...kernel.algebra.vec3 import add, cross, dot, norm, scale, sub
from ...kernel.decorators import inline, internal_kernel
from .clip import clip_line, clip_lines, clip_polygon, heights, project
from .convex_shapes import axes, axis, core, face, rounding
from .gjk import distance
from .manifold import CLIPPED, FACE_A, FACE_B, PLACES, load_vertex, put, weigh
from .polytope import INSET

_PARALLEL = (0.01, 0.05)  # angles between n and the mean normal of two faces
_NEARER = 1e-9  # of the distance of the markers
_SAME = 1e-6  # angle between the normal of a face and n


@inline
def separation(tables, at_a, at_b, R_a, p_a, R_b, p_b, n):
    """s of the module without the radii."""
    b = core(tables, at_b, R_b, p_b, scale(-1.0, n), 0.0)
    return dot(n, sub(b, core(tables, at_a, R_a, p_a, n, 0.0)))


@internal_kernel
def deep_normal(tables, at_a, at_b, R_a, p_a, R_b, p_b):
    """Normal of the face through which the shapes separate along the shortest way."""
    way = sub(p_b, p_a)
    best, most = (0.0, 0.0, 1.0), -math.inf
    for k in range(axes(tables, at_a)):
        n = axis(tables, at_a, R_a, k, way)
        size = norm(n)
        if size > 0.0:
            n = scale(1.0 / size, n)
            s = separation(tables, at_a, at_b, R_a, p_a, R_b, p_b, n)
            if s > most:
                best, most = n, s
    for k in range(axes(tables, at_b)):
        n = axis(tables, at_b, R_b, k, scale(-1.0, way))
        size = norm(n)
        if size > 0.0:
            n = scale(-1.0 / size, n)
            s = separation(tables, at_a, at_b, R_a, p_a, R_b, p_b, n)
            if s > most:
                best, most = n, s
    return best


@inline
def tangents(n):
    """Two unit vectors across n."""
    low = (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0)
    s = cross(n, low)
    s = scale(1.0 / norm(s), s)
    return s, cross(n, s)


@inline
def outward(out, first, n):
    """Unit normal of a face, on the side of n; n if it has none."""
    x = load_vertex(out, first)
    m = cross(sub(load_vertex(out, first + 1), x), sub(load_vertex(out, first + 2), x))
    size = norm(m)
    return scale(math.copysign(1.0 / size, dot(m, n)), m) if size > 0.0 else n


@internal_kernel
def settled(out, count_a, count_b, n):
    """The direction n, by the normals of the faces where it is nearly the same.

    A search along a curved rim leaves rounding in n. Of two faces that are nearly parallel, now one and
    now the other has n as its normal; their mean does not jump. Also
    returns whether the faces are parallel in this sense.
    """
    if count_a < 3 and count_b < 3:
        return n, False
    if count_a < 3 or count_b < 3:
        m = outward(out, FACE_A if count_a > 2 else FACE_B, n)
        return (m if dot(sub(m, n), sub(m, n)) < _SAME * _SAME else n), False
    m = add(outward(out, FACE_A, n), outward(out, FACE_B, n))
    m = scale(1.0 / norm(m), m)
    angle = norm(sub(m, n))
    if angle >= _PARALLEL[1]:
        return n, False
    s = max(0.0, (angle - _PARALLEL[0]) / (_PARALLEL[1] - _PARALLEL[0]))
    share = s * s * (3.0 - 2.0 * s)
    m = add(scale(share, n), scale(1.0 - share, m))
    return scale(1.0 / norm(m), m), True


@internal_kernel
def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, out):
    """Places of contact of two convex shapes; see catalogue.py."""
    r_a, r_b = rounding(tables, at_a), rounding(tables, at_b)
    inset = INSET if r_a + r_b == 0.0 else 0.0
    v, x = distance(tables, at_a, at_b, R_a, p_a, R_b, p_b, inset, out)
    size = norm(v)
    n = scale(1.0 / size, v) if size > 0.0 else deep_normal(tables, at_a, at_b, R_a, p_a, R_b, p_b)
    count_a = face(tables, at_a, R_a, p_a, n, out, FACE_A)
    count_b = face(tables, at_b, R_b, p_b, scale(-1.0, n), out, FACE_B)
    n, parallel = settled(out, count_a, count_b, n)
    low = core(tables, at_a, R_a, p_a, n, 0.0)
    high = core(tables, at_b, R_b, p_b, scale(-1.0, n), 0.0)
    least = dot(n, sub(high, low)) - r_a - r_b
    count = overlap(out, count_a, count_b, low, n, r_a, r_b) if min(count_a, count_b) > 1 else 0
    nearest = math.inf
    for k in range(count):
        nearest = min(nearest, out[k, 0])
    # edges can be nearer than the faces beside them
    near = _NEARER * norm(sub(p_b, p_a))
    if count == 0 or (not parallel and nearest > least + near and count < PLACES):
        # the nearest point of a, at the height of its surface
        foot = add(x, scale(dot(n, sub(low, x)) + r_a + 0.5 * least, n))
        put(out, count, least, foot, n, 1.0)
        count += 1
    return count


@internal_kernel
def overlap(out, count_a, count_b, origin, n, r_a, r_b):
    """Rows for the corners of the overlap of the two faces."""
    s, t = tangents(n)
    project(out, FACE_A, count_a, origin, s, t, n)
    project(out, FACE_B, count_b, origin, s, t, n)
    seen_a, a0, au, av, area_a = heights(out, FACE_A, count_a)
    seen_b, b0, bu, bv, area_b = heights(out, FACE_B, count_b)
    if not (seen_a and seen_b):
        return 0
    if count_a == 2 and count_b == 2:
        count = clip_lines(out, FACE_A, FACE_B)
    elif count_a == 2:
        count = clip_line(out, FACE_A, FACE_B, count_b, area_b)
    elif count_b == 2:
        count = clip_line(out, FACE_B, FACE_A, count_a, area_a)
    else:
        count = clip_polygon(out, FACE_A, count_a, FACE_B, count_b, area_b)
    for k in range(count):
        u, w = out[CLIPPED + k, 0], out[CLIPPED + k, 1]
        low, high = a0 + au * u + av * w + r_a, b0 + bu * u + bv * w - r_b
        point = add(origin, add(add(scale(u, s), scale(w, t)), scale(0.5 * (low + high), n)))
        put(out, k, high - low, point, n, 1.0)
    weigh(out, count, CLIPPED, 2)
    return count


@internal_kernel
def on_half_space(tables, at_a, at_b, R_a, p_a, R_b, p_b, out):
    """Places of contact of a half-space a with a convex shape b: the corners of its lowest face."""
    n, r = (R_a[2], R_a[5], R_a[8]), rounding(tables, at_b)
    count = face(tables, at_b, R_b, p_b, scale(-1.0, n), out, FACE_B)
    for k in range(count):
        row = out[FACE_B + k]
        x = (row[0], row[1], row[2])
        gap = dot(n, sub(x, p_a)) - r
        put(out, k, gap, sub(x, scale(r + 0.5 * gap, n)), n, 1.0)
    weigh(out, count, FACE_B, 3)
    return count
