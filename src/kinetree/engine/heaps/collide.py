"""Find all contacts of a step: linked cells for the broad phase, kernels per pair of shapes.

Shapes touch within their margins, the way they can move in a step. Cells are as large as the
largest shape in them; half-spaces and shapes much larger than the others are compared with all
shapes of their set. The time is proportional to the number of shapes and of contacts.
"""

import math

import numpy as np

from ...elements.shapes.ball import Ball
from ...elements.shapes.box import Box
from ...elements.shapes.catalogue import PAIRS as MEETINGS
from ...elements.shapes.catalogue import SHAPES, kernel_of, meet
from ...elements.shapes.half_space import HalfSpace
from ...elements.shapes.manifold import place
from ...kernel.algebra.vec3 import (
    add,
    dot,
    load3,
    load9,
    matmul,
    norm,
    rotate,
    scale,
    store3,
    store9,
    sub,
)
from ...kernel.decorators import inline, internal_kernel
from .boxes import meet_boxes
from .points import add_contact, close_pair

HALF_SPACE, BALL, BOX = map(SHAPES.index, (HalfSpace, Ball, Box))
NONE = -1
SURE = 1e-5  # of the reach of a shape: least margin
MEETING = np.full((len(SHAPES), len(SHAPES)), NONE)  # kernel of a pair of kinds
for _pair in MEETINGS:
    MEETING[SHAPES.index(_pair.a), SHAPES.index(_pair.b)] = kernel_of(_pair)


@internal_kernel
def place_shapes(tables, work, run, h):
    """Poses and margins of all shapes; twists of the bodies at both ends of the step are known."""
    O = load3(run.heap[0].O)
    for i in range(run.heap_shapes.shape[0]):
        s = run.heap_shapes[i]
        body, member = work.bodies[s.body], run.heap_members[s.body]
        R = load9(body.R)
        store9(s.R, matmul(R, load9(s.R_B)))
        p = add(load3(body.p), rotate(R, load3(s.p_B)))
        store3(s.p, p)
        for k in range(6):
            s.force[k] = 0.0
        r = sub(p, O)
        x, y, z = member.free[0], member.free[1], member.free[2]
        speed = norm(
            (
                member.free[3] + y * r[2] - z * r[1],
                member.free[4] + z * r[0] - x * r[2],
                member.free[5] + x * r[1] - y * r[0],
            )
        )
        s.margin = h * (speed + math.sqrt(x * x + y * y + z * z) * s.reach) + SURE * s.reach


@inline
def meet_balls(tables, run, i, j, margin):
    a, b = run.heap_shapes[i], run.heap_shapes[j]
    ra, rb = tables.pool[a.at], tables.pool[b.at]
    d = sub(load3(b.p), load3(a.p))
    square, most = dot(d, d), ra + rb + margin
    if square >= most * most:
        return
    length = math.sqrt(square)
    n = scale(1.0 / length, d) if length > 0.0 else (0.0, 0.0, 1.0)
    gap = length - ra - rb
    add_contact(run, add(load3(a.p), scale(ra + 0.5 * gap, n)), n, gap)


@internal_kernel
def meet_places(tables, run, kind, i, j, flip, margin):
    """Contacts of two shapes by the kernel of their pair; `flip` = -1 if they are exchanged."""
    a, b = run.heap_shapes[i], run.heap_shapes[j]
    R_a, p_a, R_b, p_b = load9(a.R), load3(a.p), load9(b.R), load3(b.p)
    for k in range(meet(kind, tables, a.at, b.at, R_a, p_a, R_b, p_b, run.heap_places)):
        gap, point, normal = place(run.heap_places, k)
        if gap < margin:
            add_contact(run, point, scale(flip, normal), gap)


@internal_kernel
def joined(run, a, b):
    """Whether two bodies are connected by a joint, and so never touch."""
    low, high = min(a, b), max(a, b)
    for k in range(run.heap_joined.shape[0]):
        if run.heap_joined[k, 0] == low and run.heap_joined[k, 1] == high:
            return True
    return False


@internal_kernel
def narrow(tables, run, i, j):
    """Contacts of shapes i and j, if there are any."""
    a, b = run.heap_shapes[i], run.heap_shapes[j]
    if a.body == b.body:
        return
    block_a, block_b = run.heap_members[a.body].block, run.heap_members[b.body].block
    if block_a < 0 and block_b < 0:
        return
    if run.heap_joined.shape[0] > 0 and joined(run, a.body, b.body):
        return
    margin, before = a.margin + b.margin, run.heap[0].contacts
    if a.kind == BALL and b.kind == BALL:
        meet_balls(tables, run, i, j, margin)
    elif a.kind == BOX and b.kind == BOX:
        meet_boxes(tables, run, i, j, margin)
    elif MEETING[a.kind, b.kind] != NONE:
        meet_places(tables, run, MEETING[a.kind, b.kind], i, j, 1.0, margin)
    else:
        meet_places(tables, run, MEETING[b.kind, a.kind], j, i, -1.0, margin)
    close_pair(run, i, j, before)


@inline
def far_apart(tables, run, i, j):
    """Whether the spheres around two shapes are farther apart than their margins.

    A half-space i and a box i are taken as they are.
    """
    a, b = run.heap_shapes[i], run.heap_shapes[j]
    d, most = sub(load3(b.p), load3(a.p)), b.reach + a.margin + b.margin
    if a.kind == HALF_SPACE:
        return a.R[2] * d[0] + a.R[5] * d[1] + a.R[8] * d[2] > most
    if a.kind == BOX:
        for k in range(3):
            along = a.R[k] * d[0] + a.R[3 + k] * d[1] + a.R[6 + k] * d[2]
            if abs(along) > tables.pool[a.at + k] + most:
                return True
        return False
    most += a.reach
    return dot(d, d) > most * most


@internal_kernel
def meet_large(tables, run):
    """Contacts of half-spaces and large shapes with all shapes of their sets."""
    for k in range(run.heap_sets.shape[0]):
        s = run.heap_sets[k]
        for i in range(s.first, s.small):
            for j in range(i + 1, s.last):
                if run.heap_shapes[j].kind == HALF_SPACE:
                    continue
                if not far_apart(tables, run, i, j):
                    narrow(tables, run, i, j)


@internal_kernel
def meet_small(tables, run):
    """Contacts of all other shapes: each is compared with those in the 27 cells around it."""
    big, n = 0.0, 0
    x0, y0, z0, x1, y1, z1 = 1e300, 1e300, 1e300, -1e300, -1e300, -1e300
    for i in range(run.heap_shapes.shape[0]):
        s = run.heap_shapes[i]
        if s.large == 0:
            n += 1
            big = max(big, s.reach + s.margin)
            x0, y0, z0 = min(x0, s.p[0]), min(y0, s.p[1]), min(z0, s.p[2])
            x1, y1, z1 = max(x1, s.p[0]), max(y1, s.p[1]), max(z1, s.p[2])
    if n < 2 or not x1 - x0 + y1 - y0 + z1 - z0 < 1e300:
        return
    size, cells = 2.0 * big * (1.0 + 1e-12), run.heap_cells
    while (math.floor((x1 - x0) / size) + 1.0) * (math.floor((y1 - y0) / size) + 1.0) * (
        math.floor((z1 - z0) / size) + 1.0
    ) > cells.shape[0]:
        size *= 1.3
    nx, ny, nz = int((x1 - x0) / size) + 1, int((y1 - y0) / size) + 1, int((z1 - z0) / size) + 1
    for c in range(nx * ny * nz):
        cells[c] = NONE
    for i in range(run.heap_shapes.shape[0]):
        s = run.heap_shapes[i]
        if s.large == 1:
            continue
        cx, cy, cz = int((s.p[0] - x0) / size), int((s.p[1] - y0) / size), int((s.p[2] - z0) / size)
        for ix in range(max(0, cx - 1), min(nx, cx + 2)):
            for iy in range(max(0, cy - 1), min(ny, cy + 2)):
                for iz in range(max(0, cz - 1), min(nz, cz + 2)):
                    j = cells[(ix * ny + iy) * nz + iz]
                    while j >= 0:
                        other = run.heap_shapes[j]
                        most = s.reach + other.reach + s.margin + other.margin
                        d = sub(load3(other.p), load3(s.p))
                        if dot(d, d) < most * most and other.set == s.set:
                            narrow(tables, run, j, i)
                        j = other.next
        c = (cx * ny + cy) * nz + cz
        s.next, cells[c] = cells[c], i


@internal_kernel
def collide(tables, work, run, h):
    """All contacts of the step; the arrays may be too small, then `heap.wanted` says so."""
    heap = run.heap[0]
    heap.pairs, heap.contacts = 0, 0
    place_shapes(tables, work, run, h)
    meet_large(tables, run)
    meet_small(tables, run)
    if heap.pairs < run.heap_pairs.shape[0]:
        run.heap_pairs[heap.pairs].first = heap.contacts
