"""The nonlinear equation of an implicit step, by Newton's method with a Jacobian that is used as
long as it serves.

    c f(t, y^p + d) - psi - d = 0,        (1 - c J) delta = c f - psi - d,    d <- d + delta

Small systems have the full Jacobian J (`newton.py`), machines with many freedoms a matrix as sparse
as they are (`newton_structure.py`). Either is kept over many steps: the observed convergence tells
when it has aged. Of the latter inertias and rows are taken anew with new factors where the
iteration was slow, which costs little.
"""

import math

from ....kernel import types
from ....kernel.decorators import JIT, inline
from ....kernel.function_pointers import address_of, by_address
from ..error_norm import copy, finite, norm
from ..memory import FULL
from ..methods.adams_formulas import NEXT, WEIGHT
from ..methods.bdf_formulas import CHANGE, NEWTON, PREDICTED, SLOPE
from ..stepping import NOT_FINITE, OK, evaluate
from .full_jacobian import ITERATIONS, SOLVED, correction, difference_jacobian, factorise
from .structure import CORRECT, FACTOR, FOLLOW, LINEARISE, RENEW, over_structure

LAST, RENEWED, ANEW = range(3)  # attempts at a step


def _signature():
    """Of `over_structure`; what a run is, the loop knows."""
    from ..integrate import signature

    tables, work, _, _, run = signature()[1].args
    return types.int64(tables, work, types.int64, run, types.float64)


def structure_address() -> int:
    """Where `over_structure` lies: compiled for machines that are solved so, and for no others."""
    return address_of(over_structure, _signature() if JIT else None)


_ask = by_address("tables, work, what, run, number", _signature)


@inline
def linearise(tables, work, rhs, run, t, h, attempt, good):
    """What an attempt needs at the predicted state: the Jacobian, or the parts that stand for it;
    answers a Status.

    New factors of parts that served well are made of these.
    """
    memory, vectors, full = run.memory[0], run.vectors, run.control[0].newton == FULL
    if attempt == LAST or (attempt == RENEWED and (full or good)):
        return OK
    if full:
        return difference_jacobian(
            tables, work, rhs, memory, t, h, vectors[PREDICTED], vectors[WEIGHT], vectors
        )
    copy(vectors[PREDICTED], vectors[NEXT])
    if attempt == RENEWED:
        return _ask(run.control[0].structure, tables, work, RENEW, run, t)
    status = evaluate(tables, work, rhs, memory, t, vectors[NEXT], vectors[SLOPE])
    return (
        _ask(run.control[0].structure, tables, work, LINEARISE, run, t) if status == OK else status
    )


@inline
def renew_factors(tables, work, run, c):
    """Factors for steps with c; False if there are none."""
    if run.control[0].newton == FULL:
        return factorise(c, run.memory[0], run.vectors)
    return _ask(run.control[0].structure, tables, work, FACTOR, run, c) == 1


@inline
def iterate(tables, work, rhs, run, t, c):
    """(status, converged): d in row CHANGE, y^p + d in NEXT."""
    memory, vectors, full = run.memory[0], run.vectors, run.control[0].newton == FULL
    trial, weight = vectors[NEXT], vectors[WEIGHT]
    n, before, rate = vectors.shape[1], 0.0, memory.rate
    for i in range(n):
        vectors[CHANGE, i] = 0.0
        trial[i] = vectors[PREDICTED, i]
    if not full:
        _ask(run.control[0].structure, tables, work, FOLLOW, run, c)
    for m in range(ITERATIONS):
        status = evaluate(tables, work, rhs, memory, t, trial, vectors[SLOPE])
        if status != OK:
            return status, False
        if full:
            correction(c, memory, vectors)
        else:
            _ask(run.control[0].structure, tables, work, CORRECT, run, c)
        size = norm(
            vectors[NEWTON][: memory.n], weight[: memory.n]
        )  # what is carried along follows by itself
        if not math.isfinite(size):
            return NOT_FINITE, False
        if m > 0:
            rate = max(0.3 * rate, size / before) if before > 0.0 else 0.0
            if rate >= 0.9 or rate ** (ITERATIONS - 1 - m) / (1.0 - rate) * size > 1.0:
                return OK, False
        for i in range(n):
            vectors[CHANGE, i] += vectors[NEWTON, i]
            trial[i] = vectors[PREDICTED, i] + vectors[CHANGE, i]
        if size == 0.0 or (rate < 1.0 and rate / (1.0 - rate) * size <= SOLVED):
            memory.rate = rate
            return (OK, True) if finite(trial) else (NOT_FINITE, False)
        before = size
    return OK, False
