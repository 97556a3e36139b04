"""Residual and Newton matrix of a step, summed over nodes, beams, joints and forces.

residual   inertia + beams - forces + G_a^T lam,   g(end)
"""

from ...kernel.algebra.blas1 import fill
from ...kernel.decorators import kernel
from ...kernel.tables.poses import AVERAGE, END
from ..dynamics.constraint import evaluate_aims
from .elements import beam_terms
from .inertia import convected_tangent, inertia, inertia_tangent, plane_inertia
from .loads import load_terms
from .nodal import ALPHA, EXACT, MIDPOINT, STATIC
from .rows import average_rows, end_rows, equations, own_blocks, place_attached
from .shared import plane_shared, shared_terms

REDUNDANT = 1e-11  # of the usual pivot of a row: the pivot of a redundant one


@kernel
def node_terms(tables, work, h, method, rho, tangent):
    """Add inertia and weight of all nodes; in statics the weight alone."""
    g, first = tables.settings[0].gravity, tables.primitives.shape[0] + tables.forces.shape[0]
    if tables.freedoms.shape[0] == 3:
        plane_inertia(tables, work, h, method, rho, first, tangent)
        return
    for b in range(1, tables.links.shape[0]):
        f = work.unbalanced[6 * (b - 1) :]
        if method == STATIC:
            for k in range(3):
                f[k], f[3 + k] = -work.nodes[b].mass * g[k], 0.0
        else:
            p, w = inertia(tables, work, b, h, method, f)
            if tangent:
                o = tables.spots[first + b]
                inertia_tangent(work, b, h, method, rho, p, w, work.matrix, o)
                if tables.settings[0].convected == 1:
                    convected_tangent(work, b, h, work.matrix, o)


@kernel
def assemble(tables, work, t, h, x, method, rho, tangent):
    """Compute the residual at the present increments, and the matrix if `tangent`.

    t is the time at the end of the step.

    Writes  work.unbalanced, work.matrix
    """
    if tangent:
        fill(work.matrix, 0.0)
    node_terms(tables, work, h, method, rho, tangent)
    beam_terms(tables, work, h, method, rho, tangent)
    if method != STATIC and tables.freedoms.shape[0] == 3:
        plane_shared(tables, work, h, method, rho, tangent)
    elif method != STATIC:
        shared_terms(tables, work, h, method, rho, tangent)
    if tables.primitives.shape[0] > 0:
        place_attached(tables, work, END)
        equations(tables, work, t, x)
        if tangent:
            end_rows(tables, work)
        average = END if method == ALPHA or method == STATIC else AVERAGE
        if average != END:
            place_attached(tables, work, average)
            evaluate_aims(tables, work, t - 0.5 * h)
        average_rows(tables, work, average, h, method, rho, tangent)
    middle = method == EXACT or method == MIDPOINT
    load_terms(tables, work, t - 0.5 * h if middle else t, h, x, method, rho, tangent)
    if tangent and (
        tables.settings[0].rows < tables.settings[0].ng or tables.freedoms.shape[0] < 6
    ):
        support_rows(tables, work)


@kernel
def support_rows(tables, work):
    """Give a pivot to rows that have none.

    All rows get a small one where some rows are redundant; a row that acts across the plane of a
    planar model gets one.
    """
    size, redundant = tables.freedoms.shape[0], tables.settings[0].rows < tables.settings[0].ng
    for n in range(tables.primitives.shape[0]):
        at, count, own, rows, first = own_blocks(tables, n)
        for k in range(tables.primitives[n].ng):
            total = 0.0
            for b in range(count):
                d = tables.spots[at + 1 + count + (count + 1) * b]
                for j in range(size):
                    G = work.matrix[tables.spots[own + b] + size * (first + k) + j]
                    M = abs(work.matrix[d + (size + 1) * j])
                    total += G * G / M if M > 0.0 else 0.0
            if size < 6 and total == 0.0:
                total = 1.0 / REDUNDANT
            elif not redundant:
                total = 0.0
            work.matrix[tables.spots[own + 2 * count] + (rows + 1) * (first + k)] -= (
                REDUNDANT * total
            )
