"""Places at which two shapes touch: rows of an array that every kernel `meet` fills.

    out[k] = (gap, point, normal, weight)

The gap is negative in contact, the point lies halfway between the two surfaces, and the normal
points from shape a to shape b. The weights are shares of the stiffness: 1 for a corner or the end of
a line, and 4 in sum for a polygon, so that a rectangle has 1 at each corner. Each vertex of a polygon
has half of its share from either of its two sides:

    weight_k = 4 (l_(k-1) + l_k) / (2 sum of l)

Where a corner passes an edge, the vertex becomes two, whose weights and moments have the same sum.
Laws of contact write the normal force in place of the weight, and the friction behind it. The last
rows are memory of the kernels.
"""

from __future__ import annotations

import math

from ...kernel.decorators import inline, internal_kernel

SIDES = 16  # most vertices of one face
PLACES = 2 * SIDES  # most rows of two faces
FACE_A, FACE_B = PLACES, PLACES + SIDES  # their vertices
CLIPPED = FACE_B + SIDES  # (u, v) of a polygon while it is clipped
SIMPLEX = CLIPPED + PLACES
ROWS, COLUMNS = SIMPLEX + 4, 11
WEIGHT = LOAD = 7
FRICTION = 8  # to 10


@inline
def put(out, k, gap, point, normal, weight):
    """Write row k."""
    row = out[k]
    row[0] = gap
    row[1], row[2], row[3] = point[0], point[1], point[2]
    row[4], row[5], row[6] = normal[0], normal[1], normal[2]
    row[WEIGHT] = weight


@inline
def place(out, k):
    """Gap, point and normal of row k."""
    row = out[k]
    return row[0], (row[1], row[2], row[3]), (row[4], row[5], row[6])


@inline
def load_vertex(out, k):
    return out[k, 0], out[k, 1], out[k, 2]


@inline
def store_vertex(out, k, p):
    out[k, 0], out[k, 1], out[k, 2] = p[0], p[1], p[2]


@internal_kernel
def weigh(out, count, first, width):
    """Weights of the rows 0 .. count - 1, the vertices of a point, a line or a polygon in order.

    Their coordinates are in the rows from `first` on, 2 or 3 of them.
    """
    around = 0.0
    for k in range(count):
        out[k, WEIGHT] = 1.0 if count < 3 else 0.0
    if count < 3:
        return
    for k in range(count):
        j, square = k + 1 if k + 1 < count else 0, 0.0
        for i in range(width):
            d = out[first + j, i] - out[first + k, i]
            square += d * d
        side = math.sqrt(square)
        around += side
        out[k, WEIGHT] += side
        out[j, WEIGHT] += side
    for k in range(count):
        out[k, WEIGHT] = 2.0 * out[k, WEIGHT] / around if around > 0.0 else 4.0 / count
