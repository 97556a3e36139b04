"""Estimate of the Lipschitz constant L = rho(f_y), the largest |eigenvalue| [Han1994, sec. 2.2].

A direction w0 and its images w1 = J w0, w2 = J w1 give the dominant pair of eigenvalues, real or
complex, from

    w2 = a w1 + b w0  (least squares, in the error norm),      lambda^2 - a lambda - b = 0,

and w2 is the direction of the next estimate: the directions turn to the stiffest part of the
system. An image costs one evaluation, from a small change of the state along the direction. Where
another part of the system becomes the stiffest, the directions need many estimates to turn there;
so the whole Jacobian is used where the steps are shorter than this L explains. With it images cost
nothing, and estimates are repeated, also from a second start. Large models have no such Jacobian:
their images are evaluations too, and estimates are repeated while they still grow.
"""

import math

from ....kernel.algebra.blas1 import copy
from ....kernel.decorators import inline, internal_kernel
from ..error_norm import norm
from ..memory import FULL, YDOT, Y
from ..stepping import EPS, OK, evaluate
from .adams_formulas import NEXT, WEIGHT
from .bdf_formulas import JACOBIAN, SLOPE

DIRECTION, IMAGE, SECOND, OTHER, ROWS = range(5)  # rows after the matrices
_NUDGE = 10.0 * math.sqrt(EPS)  # size of the change, relative to the state
CHANGED = 0.5  # relative change of L after which it is estimated once more
FREE = 20  # most estimates in a row where they cost nothing
# relative difference at which two estimates agree: with a Jacobian, and by evaluations
SAME, SAME_BY_EVALUATION = 0.01, 0.05


@inline
def scatter(weight, out):
    """A direction with a part along every eigenvector, without passive components."""
    for i in range(out.shape[0]):
        out[i] = (
            (1.0 + (7 * i % 5) / 5.0) * (1.0 if i % 2 else -1.0) / weight[i]
            if weight[i] > 0.0
            else 0.0
        )


@inline
def normalize(weight, x):
    """Scale x to length one; replace it by another direction if it is zero or not finite."""
    size = norm(x, weight)
    if not 0.0 < size < math.inf:
        scatter(weight, x)
        size = norm(x, weight)
    for i in range(x.shape[0]):
        x[i] /= size


@inline
def products(a, b, weight):
    """Weighted inner product of a and b."""
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i] * weight[i] ** 2
    return total


@inline
def radius(w0, w1, w2, weight):
    """The larger |lambda| of the pair; where the images are parallel to w0, their growth."""
    s00, s01, s11 = products(w0, w0, weight), products(w0, w1, weight), products(w1, w1, weight)
    det = s00 * s11 - s01 * s01
    if not det > 1e-12 * s00 * s11:
        return math.sqrt(s11 / s00) if s00 > 0.0 else 0.0
    r0, r1 = products(w0, w2, weight), products(w1, w2, weight)
    a, b = (s00 * r1 - s01 * r0) / det, (s11 * r0 - s01 * r1) / det
    inside = 0.25 * a * a + b
    return math.sqrt(-b) if inside < 0.0 else abs(0.5 * a) + math.sqrt(inside)


@inline
def image_by_change(tables, work, rhs, memory, rtol, w, out, vectors):
    """out = J w at the present state, whose slope is in row YDOT."""
    n = vectors.shape[1]
    step, trial = _NUDGE / rtol / norm(w, vectors[WEIGHT]), vectors[NEXT]
    for i in range(n):
        trial[i] = vectors[Y, i] + step * w[i]
    status = evaluate(tables, work, rhs, memory, memory.t, trial, vectors[SLOPE])
    for i in range(n):
        out[i] = (vectors[SLOPE, i] - vectors[YDOT, i]) / step
    return status


@inline
def image_by_matrix(w, out, vectors):
    """out = J w with the present Jacobian."""
    n = vectors.shape[1]
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += vectors[JACOBIAN + i, j] * w[j]
        out[i] = total


@inline
def directions(run):
    """First row of the directions: after the full matrices, if there are any."""
    return JACOBIAN + (2 * run.vectors.shape[1] if run.control[0].newton == FULL else 0)


@internal_kernel
def estimate_L_along(tables, work, rhs, run, most, changed):
    """Estimate L along the followed direction, by up to `most` estimates of two evaluations each.

    The estimates stop when L changes by less than `changed`.
    """
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    weight, at = vectors[WEIGHT], directions(run)
    w0, w1, w2 = vectors[at + DIRECTION], vectors[at + IMAGE], vectors[at + SECOND]
    for _ in range(most):
        before = memory.L
        normalize(weight, w0)
        status = image_by_change(tables, work, rhs, memory, control.rtol, w0, w1, vectors)
        if status == OK and norm(w1, weight) > 0.0:
            status = image_by_change(tables, work, rhs, memory, control.rtol, w1, w2, vectors)
        if status != OK or not norm(w1, weight) > 0.0:
            return
        memory.L = radius(w0, w1, w2, weight)
        copy(w2, w0)
        if abs(memory.L - before) <= changed * before:
            return


@inline
def estimate_L(tables, work, rhs, run):
    """Estimate L along the followed direction: two evaluations, four where it changed much."""
    estimate_L_along(tables, work, rhs, run, 2, CHANGED)


@inline
def estimate_L_anew(tables, work, rhs, run):
    """Estimate L from another start until estimates agree, without a full Jacobian."""
    memory, vectors, at = run.memory[0], run.vectors, directions(run)
    known, w0, other = memory.L, vectors[at + DIRECTION], vectors[at + OTHER]
    copy(w0, other)
    scatter(vectors[WEIGHT], w0)
    memory.L = 0.0
    estimate_L_along(tables, work, rhs, run, FREE, SAME_BY_EVALUATION)
    if memory.L < known:
        memory.L = known
        copy(other, w0)
        estimate_L(tables, work, rhs, run)


@inline
def converged_radius(w0, w1, w2, vectors):
    """L by repeated estimates with the present Jacobian."""
    weight, L = vectors[WEIGHT], 0.0
    for _ in range(FREE):
        before = L
        normalize(weight, w0)
        image_by_matrix(w0, w1, vectors)
        if not norm(w1, weight) > 0.0:
            return 0.0
        image_by_matrix(w1, w2, vectors)
        L = radius(w0, w1, w2, weight)
        copy(w2, w0)
        if abs(L - before) <= SAME * L:
            break
    return L


@internal_kernel
def estimate_L_of_jacobian(run):
    """L of the present Jacobian, along the followed direction or a new one if that is larger."""
    memory, vectors, at = run.memory[0], run.vectors, directions(run)
    w0, w1, w2 = vectors[at + DIRECTION], vectors[at + IMAGE], vectors[at + SECOND]
    other = vectors[at + OTHER]
    memory.L = converged_radius(w0, w1, w2, vectors)
    scatter(vectors[WEIGHT], other)
    L = converged_radius(other, w1, w2, vectors)
    if L > memory.L:
        memory.L = L
        copy(other, w0)
