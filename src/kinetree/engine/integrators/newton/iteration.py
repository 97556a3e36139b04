"""Newton's method of an implicit step, with a Jacobian that serves many steps.

    c f(t, y^p + d) - psi - d = 0,        (1 - c J) delta = c f - psi - d,    d <- d + delta

Small systems use the full Jacobian J (full_jacobian.py), large mechanisms a sparse matrix over
their structure (structure.py). The contraction of the corrections (kernel/algebra/convergence.py)
decides when the matrix is too old. `bdf-direct` solves other equations with the same loop of
corrections and the same rule for the renewal (direct_steps.py).
"""

import math

from ....kernel import types
from ....kernel.algebra.blas1 import copy
from ....kernel.algebra.convergence import (
    all_finite,
    is_divergent,
    remaining_error,
    smoothed_contraction,
)
from ....kernel.decorators import JIT, inline
from ....kernel.intrinsics import address_of, by_address
from ..error_norm import norm
from ..memory import ARTICULATED, DOFS, FULL
from ..methods.adams_formulas import NEXT, WEIGHT
from ..methods.bdf_formulas import CHANGE, NEWTON, PREDICTED, SLOPE
from ..stepping import NOT_FINITE, OK, evaluate
from .full_jacobian import ANY_RATE, correction, difference_jacobian, factorize
from .load_derivatives import loads_suffice
from .structure import (
    CORRECT,
    CORRECT_ARTICULATED,
    FACTOR,
    FOLLOW,
    LINEARIZE,
    RENEW,
    structure_operation,
)

ITERATIONS = 4  # corrections
SOLVED = 0.03  # tolerances: error of the iteration that is left to the error test
# tolerances: smaller corrections are rounding, where the prediction was exact
NEGLIGIBLE = 1e-3 * SOLVED
# Attempts at a step: with the last factors, with new factors of the old derivatives, with new
# derivatives, with all of them where those were of the loads alone.
LAST_FACTORS, NEW_FACTORS, NEW_DERIVATIVES, ALL_DERIVATIVES = range(4)
NO_JACOBIAN = 1 << 40  # age of a Jacobian that is not computed yet
LONGEST_USE = 50  # steps a Jacobian may serve, or twice as many as the evaluations it costs
FIRST = 0.3  # contraction before any is observed
FADING = 1.05  # factor of a contraction per step that does not observe it
SAME = 1e-12  # relative difference of c below which the factors belong to this step


@inline
def first_attempt(memory, c, cost, most_rate):
    """The first attempt at a step with c; a Jacobian costs `cost` evaluations.

    The last factors serve again if they belong to c and the last iteration contracted by
    `most_rate` or better.
    """
    if memory.jacobian_age > max(LONGEST_USE, 2 * cost):
        return NEW_DERIVATIVES
    return (
        LAST_FACTORS if abs(memory.c - c) <= SAME * c and memory.rate <= most_rate else NEW_FACTORS
    )


@inline
def expected_rate(memory, c):
    """The contraction of a step with a new matrix for c; what the matrix leaves out grows with c."""
    if memory.c == 0.0:
        return FIRST
    return min(ANY_RATE, memory.rate * max(1.0, c / memory.c))


@inline
def keep_rate(memory, converged, observed):
    """Keep the contraction of a step for the next one: a step may not have observed it."""
    if not converged:
        memory.rate = ANY_RATE
    elif not observed:
        memory.rate = min(ANY_RATE, FADING * memory.rate)


@inline
def iterate_corrections(tables, work, correct, rhs, run, t, c, most, negligible):
    """(status, converged) of at most `most` corrections, which `correct` computes and applies.

    correct(tables, work, rhs, run, t, c, m) -> Status    correction m, its size in row NEWTON

    A correction below `negligible` tolerances is rounding, and the iteration has converged.

    Reads   memory.rate, the contraction of the last iteration
    Writes  memory.rate, where the iteration converged
    """
    memory, vectors = run.memory[0], run.vectors
    n, before, rate = memory.n, 0.0, memory.rate
    if run.control[0].tangents > 0:
        n = vectors.shape[1]
    for m in range(most):
        status = correct(tables, work, rhs, run, t, c, m)
        if status != OK:
            return status, False
        size = norm(vectors[NEWTON][:n], vectors[WEIGHT][:n])  # without quadratures
        if not math.isfinite(size):
            return NOT_FINITE, False
        if m > 0:
            rate = smoothed_contraction(rate, size, before)
            if size > negligible and is_divergent(rate, size, most - 1 - m):
                return OK, False
        if size <= negligible or (rate < 1.0 and remaining_error(rate, size) <= SOLVED):
            memory.rate = rate
            return OK, True
        before = size
    return OK, False


def _signature():
    """Signature of `structure_operation`, with the types of the time loop."""
    from ..integrate import signature

    tables, work, _, _, run = signature()[1].args
    return types.int64(tables, work, types.int64, run, types.float64)


def structure_address() -> int:
    """Address of `structure_operation`, compiled only where a model needs it."""
    return address_of(structure_operation, _signature() if JIT else None)


call_structure = by_address("tables, work, what, run, number", _signature)


@inline
def linearize(tables, work, rhs, run, t, h, attempt, good):
    """Compute the derivatives that an attempt needs, at the predicted state; returns a Status.

    If `good`, new factors are made from the present parts of the matrix.
    """
    memory, vectors, full = run.memory[0], run.vectors, run.control[0].newton == FULL
    if attempt == LAST_FACTORS or (attempt == NEW_FACTORS and (full or good)):
        return OK
    if full:
        return difference_jacobian(
            tables, work, rhs, memory, t, h, vectors[PREDICTED], vectors[WEIGHT], vectors
        )
    copy(vectors[PREDICTED], vectors[NEXT])
    if attempt == NEW_FACTORS:
        return call_structure(run.control[0].structure, tables, work, RENEW, run, t)
    status = OK
    if run.control[0].newton != DOFS or not loads_suffice(run):
        status = evaluate(tables, work, rhs, memory, t, vectors[NEXT], vectors[SLOPE])
    if status != OK:
        return status
    return call_structure(run.control[0].structure, tables, work, LINEARIZE, run, t)


@inline
def renew_factors(tables, work, run, c):
    """Factorize the matrix of steps with c; False if it is singular."""
    if run.control[0].newton == FULL:
        return factorize(c, run.memory[0], run.vectors)
    return call_structure(run.control[0].structure, tables, work, FACTOR, run, c) == 1


@inline
def correct(tables, work, rhs, run, t, c, m):
    """One correction: delta in row NEWTON, d in CHANGE, y^p + d in NEXT; returns a Status."""
    vectors, newton, structure = run.vectors, run.control[0].newton, run.control[0].structure
    trial = vectors[NEXT]
    if newton == ARTICULATED:
        status = call_structure(structure, tables, work, CORRECT_ARTICULATED, run, t)
    else:
        status = evaluate(tables, work, rhs, run.memory[0], t, trial, vectors[SLOPE])
    if status != OK:
        return status
    if newton == FULL:
        correction(c, run.memory[0], vectors, run.control[0].tangents)
    elif newton != ARTICULATED:
        call_structure(structure, tables, work, CORRECT, run, c)
    for i in range(vectors.shape[1]):
        vectors[CHANGE, i] += vectors[NEWTON, i]
        trial[i] = vectors[PREDICTED, i] + vectors[CHANGE, i]
    return OK


@inline
def iterate(tables, work, rhs, run, t, c):
    """(status, converged) from the predicted state: d in row CHANGE, y^p + d in NEXT."""
    vectors = run.vectors
    for i in range(vectors.shape[1]):
        vectors[CHANGE, i] = 0.0
        vectors[NEXT, i] = vectors[PREDICTED, i]
    if run.control[0].newton != FULL:
        call_structure(run.control[0].structure, tables, work, FOLLOW, run, c)
    negligible = NEGLIGIBLE if run.control[0].newton == ARTICULATED else 0.0
    status, converged = iterate_corrections(
        tables, work, correct, rhs, run, t, c, ITERATIONS, negligible
    )
    if converged and not all_finite(vectors[NEXT]):
        return NOT_FINITE, False
    return status, converged
