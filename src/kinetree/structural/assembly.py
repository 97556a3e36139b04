"""Residual and Newton matrix of a step, summed from nodes, beams, joints and forces.

    residual   inertia + beams - forces + G_a^T lam,   g(end)
"""

from ..flex.element import AVERAGE, END, MIDDLE, F, K, element_force
from ..flex.turns import half_rate
from ..num.dense import fill
from ..num.jit import inline, kernel
from ..num.vec3 import load3
from .inertia import inertia, inertia_tangent
from .loads import loads_over
from .nodes import ALPHA, BETA, EXACT, GAMMA, MIDPOINT, STATIC, TRAPEZOIDAL
from .rows import average_rows, end_rows, equations, put_attached

REDUNDANT = 1e-11  # of its pivot: what a row that repeats others is given instead of none


@inline
def places(method):
    """Rows of `work.poses` at which beams are evaluated."""
    if method == EXACT:
        return END, AVERAGE
    return (MIDDLE, MIDDLE) if method == MIDPOINT else (END, END)


@inline
def per_strain(method, h, rho):
    """How the rate of the strain at a place changes with it, 1/s."""
    if method == ALPHA:
        return rho[GAMMA] / (h * rho[BETA])
    return 0.0 if method == STATIC else 2.0 / h


@kernel
def node_terms(tables, work, h, method, rho, tangent):
    """Inertia and weight of all nodes; of a machine at rest the weight alone."""
    g, first = tables.settings[0].gravity, tables.primitives.shape[0] + tables.forces.shape[0]
    for b in range(1, tables.links.shape[0]):
        f = work.unbalanced[6 * (b - 1):]
        if method == STATIC:
            for k in range(3):
                f[k], f[3 + k] = -work.nodes[b].mass * g[k], 0.0
        else:
            p, w = inertia(tables, work, b, h, method, f)
            if tangent:
                inertia_tangent(work, b, h, method, rho, p, w, work.matrix, tables.spots[first + b])


@kernel
def beam_terms(tables, work, h, method, rho, tangent):
    """All beam elements."""
    end, average = places(method)
    spread, W = per_strain(method, h, rho), work.element
    factor = 2.0 if method == ALPHA or method == STATIC else 1.0
    for e in range(tables.elements.shape[0]):
        element_force(tables, work, e, end, average, h, spread, tangent)
        if method == TRAPEZOIDAL:
            for k in range(9):
                W[F, k] = 0.5 * (W[F, k] + work.strains[e, 13 + k])
        i, j = 6 * (tables.elements[e].i - 1), 6 * (tables.elements[e].j - 1)
        for k in range(3):
            work.unbalanced[i + k] -= W[F, k]
            work.unbalanced[j + k] += W[F, k]
            work.unbalanced[i + 3 + k] += W[F, 3 + k]
            work.unbalanced[j + 3 + k] += W[F, 6 + k]
        if tangent:
            if method == MIDPOINT:
                half_turns(tables, work, e)
            scatter(tables, work, e, factor)


@inline
def half_turns(tables, work, e):
    """Columns of the turns: the middle frame follows the end by about half."""
    W, element = work.element, tables.elements[e]
    for side in range(2):
        Q = half_rate(load3(work.nodes[element.i if side == 0 else element.j].r))
        c = 3 + 3 * side
        for i in range(K, K + 9):
            a, b, d = W[i, c], W[i, c + 1], W[i, c + 2]
            for k in range(3):
                W[i, c + k] = a * Q[k] + b * Q[3 + k] + d * Q[6 + k]


@inline
def scatter(tables, work, e, s):
    """The tangent of an element into the four blocks of its nodes."""
    A, W, o = work.matrix, work.element, tables.elements[e].spots
    ii, ij, ji, jj = o[0], o[1], o[2], o[3]
    for p in range(3):
        for q in range(3):
            n, x = 6 * p + q, s * W[K + p, q]
            A[ii + n] += x
            A[jj + n] += x
            A[ij + n] -= x
            A[ji + n] -= x
            x, y = s * W[K + p, 3 + q], s * W[K + p, 6 + q]
            A[ii + n + 3] -= x
            A[ji + n + 3] += x
            A[ij + n + 3] -= y
            A[jj + n + 3] += y
            x, y = s * W[K + 3 + p, q], s * W[K + 6 + p, q]
            A[ii + n + 18] -= x
            A[ij + n + 18] += x
            A[ji + n + 18] -= y
            A[jj + n + 18] += y
            A[ii + n + 21] += s * W[K + 3 + p, 3 + q]
            A[ij + n + 21] += s * W[K + 3 + p, 6 + q]
            A[ji + n + 21] += s * W[K + 6 + p, 3 + q]
            A[jj + n + 21] += s * W[K + 6 + p, 6 + q]


@kernel
def assemble(tables, work, t, h, x, method, rho, tangent):
    """Residual at the increments at hand, with the matrix if asked for; t is the time at the end of the step."""
    if tangent:
        fill(work.matrix, 0.0)
    node_terms(tables, work, h, method, rho, tangent)
    beam_terms(tables, work, h, method, rho, tangent)
    if tables.primitives.shape[0] > 0:
        put_attached(tables, work, END)
        equations(tables, work, t, x)
        if tangent:
            end_rows(tables, work)
        average = END if method == ALPHA or method == STATIC else AVERAGE
        if average != END:
            put_attached(tables, work, average)
        average_rows(tables, work, average, h, method, rho, tangent)
    middle = method == EXACT or method == MIDPOINT
    loads_over(tables, work, t - 0.5 * h if middle else t, h, x, method, rho, tangent)
    if tangent and tables.settings[0].rows < tables.settings[0].ng:
        support_redundant(tables, work)


@kernel
def support_redundant(tables, work):
    """Gives every row of constraints a small pivot of its own, so that rows that repeat others can be eliminated."""
    for n in range(tables.primitives.shape[0]):
        p, at = tables.primitives[n], tables.spots[n]
        count = tables.spots[at]
        own = at + 1 + count + count * count
        rows, first = tables.spots[own + 2 * count + 1], tables.spots[own + 2 * count + 2]
        for k in range(p.ng):
            total = 0.0
            for b in range(count):
                d = tables.spots[at + 1 + count + (count + 1) * b]
                for j in range(6):
                    G, M = work.matrix[tables.spots[own + b] + 6 * (first + k) + j], abs(work.matrix[d + 7 * j])
                    total += G * G / M if M > 0.0 else 0.0
            work.matrix[tables.spots[own + 2 * count] + (rows + 1) * (first + k)] -= REDUNDANT * total
