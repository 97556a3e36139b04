"""The Lipschitz constant L of a system, estimated as it goes: L = rho(f_y), the largest |eigenvalue|.  [Han1994, sec. 2.2]

A direction w0 and its images w1 = J w0, w2 = J w1 tell the dominant pair of eigenvalues, real or complex, from

    w2 = a w1 + b w0  (least squares, in the norm of the error test),      lambda^2 - a lambda - b = 0,

and w2 is the direction of the next estimate: the directions turn to where the system is stiffest. A trace of what the last
Adams step had to correct is mixed in: that is where another part of the system becomes stiff. The images cost one
evaluation each, from a small change of the state along the direction; none where the Jacobian is at hand.
"""

import math

from ..num.jit import inline
from .adams_differences import NEXT, PHI, WEIGHT
from .bdf_differences import JACOBIAN, SLOPE
from .memory import ADAMS, YDOT, Y
from .stepping import EPS, OK, copy, evaluate, norm

DIRECTION, IMAGE, SECOND, ROWS = range(4)  # rows behind the matrices
_NUDGE = 10.0 * math.sqrt(EPS)  # size of the change, relative to the state
FIRST_ROUNDS = 6  # most estimates in a row where no good direction is known yet, or where they cost nothing
MIXED = 1e-3  # part of the last correction in a direction
CHANGED = 0.5  # relative change of L after which it is estimated once more


@inline
def scatter(weight, out):
    """A first direction that has a part along every eigenvector: all components, none alike."""
    for i in range(out.shape[0]):
        out[i] = (1.0 + (7 * i % 5) / 5.0) * (1.0 if i % 2 else -1.0) / weight[i]


@inline
def mix(memory, w, vectors):
    """Add a little of the last correction, f at the new state less f as expected."""
    correction = vectors[PHI + memory.order_used + 1]
    size = norm(correction, vectors[WEIGHT])
    if 0.0 < size < math.inf:
        for i in range(w.shape[0]):
            w[i] += MIXED * correction[i] / size


@inline
def normalise(weight, x):
    """x to length one; False where there is no direction in it."""
    size = norm(x, weight)
    if not (0.0 < size < math.inf):
        return False
    for i in range(x.shape[0]):
        x[i] /= size
    return True


@inline
def products(a, b, weight):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i] * weight[i] ** 2
    return total


@inline
def radius(w0, w1, w2, weight):
    """The larger |lambda| of the pair; where the images lie along the direction, simply their growth."""
    s00, s01, s11 = products(w0, w0, weight), products(w0, w1, weight), products(w1, w1, weight)
    det = s00 * s11 - s01 * s01
    if not det > 1e-12 * s00 * s11:
        return math.sqrt(s11 / s00) if s00 > 0.0 else 0.0
    r0, r1 = products(w0, w2, weight), products(w1, w2, weight)
    a, b = (s00 * r1 - s01 * r0) / det, (s11 * r0 - s01 * r1) / det
    inside = 0.25 * a * a + b
    return math.sqrt(-b) if inside < 0.0 else abs(0.5 * a) + math.sqrt(inside)


@inline
def image_by_change(rhs, tables, work, memory, rtol, w, out, vectors):
    """out = J w at the present state, whose slope is in row YDOT."""
    n = vectors.shape[1]
    step, trial = _NUDGE / rtol / norm(w, vectors[WEIGHT]), vectors[NEXT]
    for i in range(n):
        trial[i] = vectors[Y, i] + step * w[i]
    status = evaluate(rhs, tables, work, memory, memory.t, trial, vectors[SLOPE])
    for i in range(n):
        out[i] = (vectors[SLOPE, i] - vectors[YDOT, i]) / step
    return status


@inline
def image_by_matrix(w, out, vectors):
    """out = J w with the Jacobian at hand."""
    n = vectors.shape[1]
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += vectors[JACOBIAN + i, j] * w[j]
        out[i] = total


@inline
def one_estimate(rhs, tables, work, memory, rtol, known, w0, w1, w2, vectors):
    """(status, L); leaves the next direction in w0."""
    status = OK
    if not normalise(vectors[WEIGHT], w0):
        scatter(vectors[WEIGHT], w0)
        normalise(vectors[WEIGHT], w0)
    if known:
        image_by_matrix(w0, w1, vectors)
        image_by_matrix(w1, w2, vectors)
    else:
        status = image_by_change(rhs, tables, work, memory, rtol, w0, w1, vectors)
        if status == OK and norm(w1, vectors[WEIGHT]) > 0.0:
            status = image_by_change(rhs, tables, work, memory, rtol, w1, w2, vectors)
    if status != OK or not norm(w1, vectors[WEIGHT]) > 0.0:
        return status, 0.0
    L = radius(w0, w1, w2, vectors[WEIGHT])
    copy(w2, w0)
    return status, L


@inline
def estimate(rhs, tables, work, run, known):
    """L at the present state, kept in memory; once more where it has changed. `known`: the Jacobian is at hand."""
    memory, vectors = run.memory[0], run.vectors
    n = vectors.shape[1]
    at = JACOBIAN + 2 * n
    w0, w1, w2 = vectors[at + DIRECTION], vectors[at + IMAGE], vectors[at + SECOND]
    normalise(vectors[WEIGHT], w0)
    if not known and memory.accepted > 0 and memory.method == ADAMS:
        mix(memory, w0, vectors)
    for _ in range(FIRST_ROUNDS if known or memory.estimates == 0 else 2):
        before = memory.L
        status, L = one_estimate(rhs, tables, work, memory, run.control[0].rtol, known, w0, w1, w2, vectors)
        if status == OK:
            memory.L = L
        if abs(memory.L - before) <= CHANGED * before:
            break
    memory.estimates += 1
