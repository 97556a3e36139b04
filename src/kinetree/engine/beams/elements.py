"""All beam elements over a step: their terms in residual and Newton matrix, and their work."""

from ...kernel.algebra.rodrigues import half_rate
from ...kernel.algebra.vec3 import load3
from ...kernel.decorators import inline, kernel
from ...kernel.tables.poses import AVERAGE, END, MIDDLE, START
from .element import F, K, begin_elements, element_force
from .history import history_force
from .nodal import ALPHA, BETA, EXACT, GAMMA, MIDPOINT, STATIC, TRAPEZOIDAL
from .plane import begin_plane, plane_force

BEGAN = 13  # first column of `work.strains` with the force at the start of the step


@inline
def places(method):
    """Rows of `work.poses` at which a method evaluates beams."""
    if method == EXACT:
        return END, AVERAGE
    return (MIDDLE, MIDDLE) if method == MIDPOINT else (END, END)


@inline
def strain_rate_factor(method, h, rho):
    """Derivative of the strain rate by the strain at one pose, 1/s."""
    if method == ALPHA:
        return rho[GAMMA] / (h * rho[BETA])
    return 0.0 if method == STATIC else 2.0 / h


@inline
def force_of(tables, work, e, end, average, h, rate_factor, tangent):
    """Force of an element and its tangent, in space, with its history, or in the plane."""
    if tables.settings[0].history == 1:
        history_force(tables, work, e, h, tangent)
    elif tables.freedoms.shape[0] == 6:
        element_force(tables, work, e, end, average, h, rate_factor, tangent)
    else:
        plane_force(tables, work, e, end, average, h, rate_factor, tangent)


@kernel
def begin_beams(tables, work, method):
    """Compute strains at the start of a step, and forces where the method uses both ends."""
    if tables.settings[0].history == 1:
        return  # they are carried
    if tables.freedoms.shape[0] == 6:
        begin_elements(tables, work, START)
    else:
        begin_plane(tables, work, START)
    if method >= TRAPEZOIDAL:
        for e in range(tables.elements.shape[0]):
            force_of(tables, work, e, START, START, 1.0, 0.0, False)
            for k in range(9):
                work.strains[e, BEGAN + k] = work.element[F, k]


@inline
def average_with_start(work, e):
    """Replace a force by its mean with the force at the start of the step."""
    for k in range(9):
        work.element[F, k] = 0.5 * (work.element[F, k] + work.strains[e, BEGAN + k])


@kernel
def beam_terms(tables, work, h, method, rho, tangent):
    """Add the forces of all elements to the residual, and their tangents to the matrix."""
    end, average = places(method)
    rate_factor, planar = strain_rate_factor(method, h, rho), tables.freedoms.shape[0] == 3
    factor = 2.0 if method == ALPHA or method == STATIC else 1.0
    for e in range(tables.elements.shape[0]):
        force_of(tables, work, e, end, average, h, rate_factor, tangent)
        if method == TRAPEZOIDAL:
            average_with_start(work, e)
        if planar:
            add_force_in_plane(tables, work, e)
        else:
            add_force(tables, work, e)
        if tangent and planar:
            scatter_plane(tables, work, e, factor)
        elif tangent:
            if method == MIDPOINT:
                chain_half_rotation(tables, work, e)
            scatter(tables, work, e, factor)


@inline
def add_force(tables, work, e):
    """Add the force of an element to the residual of its nodes."""
    i, j, f = 6 * (tables.elements[e].i - 1), 6 * (tables.elements[e].j - 1), work.element[F]
    for k in range(3):
        work.unbalanced[i + k] -= f[k]
        work.unbalanced[j + k] += f[k]
        work.unbalanced[i + 3 + k] += f[3 + k]
        work.unbalanced[j + 3 + k] += f[6 + k]


@inline
def add_force_in_plane(tables, work, e):
    """Add the force of an element in a plane to the residual of its nodes."""
    i, j, f = 3 * (tables.elements[e].i - 1), 3 * (tables.elements[e].j - 1), work.element[F]
    for k in range(2):
        work.unbalanced[i + k] -= f[k]
        work.unbalanced[j + k] += f[k]
        work.unbalanced[(i if k == 0 else j) + 2] += f[2 + k]


@inline
def chain_half_rotation(tables, work, e):
    """Chain rule of the middle frame, which follows the rotation of the end by about half."""
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
    """Add the tangent of an element to the four blocks of its nodes."""
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


@inline
def scatter_plane(tables, work, e, s):
    """Add the tangent of an element in a plane to the four blocks of its nodes."""
    A, W, o = work.matrix, work.element, tables.elements[e].spots
    ii, ij, ji, jj = o[0], o[1], o[2], o[3]
    for p in range(2):
        for q in range(2):
            n, x = 3 * p + q, s * W[K + p, q]
            A[ii + n] += x
            A[jj + n] += x
            A[ij + n] -= x
            A[ji + n] -= x
        x, y = s * W[K + p, 2], s * W[K + p, 3]
        A[ii + 3 * p + 2] -= x
        A[ji + 3 * p + 2] += x
        A[ij + 3 * p + 2] -= y
        A[jj + 3 * p + 2] += y
        x, y = s * W[K + 2, p], s * W[K + 3, p]
        A[ii + 6 + p] -= x
        A[ij + 6 + p] += x
        A[ji + 6 + p] -= y
        A[jj + 6 + p] += y
    A[ii + 8] += s * W[K + 2, 2]
    A[ij + 8] += s * W[K + 2, 3]
    A[ji + 8] += s * W[K + 3, 2]
    A[jj + 8] += s * W[K + 3, 3]


@kernel
def beam_work(tables, work, e, h, method, rho):
    """Work of a beam element on its nodes over the step; the poses are those at its end."""
    element, f, total = tables.elements[e], work.element[F], 0.0
    end, average = places(method)
    force_of(tables, work, e, end, average, h, strain_rate_factor(method, h, rho), False)
    if method >= TRAPEZOIDAL:
        average_with_start(work, e)
    a, b, plane = work.nodes[element.i], work.nodes[element.j], tables.freedoms
    if plane.shape[0] == 3:
        for k in range(2):
            total -= f[k] * (b.d[plane[k]] - a.d[plane[k]])
        return total - f[2] * a.r[plane[2] - 3] - f[3] * b.r[plane[2] - 3]
    for k in range(3):
        total -= f[k] * (b.d[k] - a.d[k]) + f[3 + k] * a.r[k] + f[6 + k] * b.r[k]
    return total
