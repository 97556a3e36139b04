"""Adams-Bashforth-Moulton PECE with variable step and variable order 1 .. 12 [Shampine1975].

The past is stored as modified divided differences phi_i of f, i = 1 .. k + 2. A step of length h
from t with order k:

    predict    phi*_i = beta_i phi_i,   phi^e_i = phi*_i + phi^e_{i+1},   p = y + h sum_i g_i phi*_i
    evaluate   d = f(t + h, p) - phi^e_1
    test       |h (g_k - g_{k+1}) d| <= 1 in the norm weighted by the tolerances
    correct    y <- p + h g_{k+1} d,   projected onto the constraints
    evaluate   D = f(t + h, y) - phi^e_1,   phi_i <- phi^e_i + D,   phi_{k+1} <- D

The accepted value is of order k + 1 (local extrapolation). Trial quantities have their own rows, so
that a rejected step leaves nothing to undo. The rounding error of each addition to y is subtracted
from the next one.
"""

import math

from ....kernel.algebra.blas1 import copy
from ....kernel.decorators import inline, kernel
from ...kkt.singular_steps import JUMP, JUMPS, branch_status, near_change_point, near_singular_step
from ..error_norm import norm, projection_too_large, weigh
from ..memory import ATOL, YDOT, Y
from ..stepping import (
    MOVED,
    OK,
    arrive,
    begin,
    end_time,
    evaluate,
    failure_cause,
    first_step,
    limited,
    project_state,
    too_small,
)
from .adams_formulas import (
    CARRY,
    GAMMA,
    MAX_ORDER,
    NEXT,
    PHI,
    SLOPE,
    WEIGHT,
    P,
    accept,
    correct,
    estimate,
    interpolate,
    predict,
    update_coefficients,
)


@inline
def prefers_lower(k, e_k, e_k1, e_k2):
    """Whether the errors do not fall with the order, so that a lower order is better."""
    if k == 2:
        return e_k1 <= 0.5 * e_k
    return k > 2 and max(e_k1, e_k2) <= e_k


@inline
def next_order(k, lower, e_k, e_k1, vectors, memory, control):
    """Order of the next step, and its expected error at the present length.

    e_{k+1} is known only on equal steps.
    """
    if lower:
        return k - 1, e_k1
    if memory.start_phase:
        return k + 1, 0.0
    if memory.equal_steps <= k:
        return k, e_k
    e_up = math.inf
    if k < control.order:
        e_up = memory.h_used * GAMMA[k + 1] * norm(vectors[PHI + k + 2], vectors[WEIGHT])
    if k > 1 and e_k1 <= min(e_k, e_up):
        return k - 1, e_k1
    if e_up < (0.5 * e_k if k == 1 else e_k):
        return k + 1, e_up
    return k, e_k


@inline
def next_length(h, k, e, rising):
    """Length of the next step: doubled if that is safe, kept if the error is below one half.

    Otherwise it shrinks. Lengths change rarely on purpose.
    """
    if rising or e * 2.0 ** (k + 1) <= 0.5:
        return 2.0 * h
    if e <= 0.5:
        return h
    return h * max(0.5, min(0.9, (0.5 / e) ** (1.0 / (k + 1))))


@inline
def shrink(failures, e):
    """Factor after a failure: one half; after the third, at order one, from the error."""
    return math.sqrt(0.5 / e) if failures > 3 and 2.0 < e < math.inf else 0.5


@inline
def count_equal_steps(h, memory):
    """Number of steps in a row with length h, this one included."""
    if h != memory.h_used:
        return 1
    return memory.equal_steps + (1 if memory.equal_steps <= memory.order_used else 0)


@inline
def attempt(tables, work, rhs, memory, t, h, k, c, vectors):
    """Predict and evaluate: (status, error, e_k, e_{k-1}, prefers a lower order)."""
    if memory.equal_steps <= k:
        update_coefficients(k, h, c)
    predict(k, h, c, vectors)
    status = evaluate(tables, work, rhs, memory, t, vectors[P], vectors[SLOPE])
    if status != OK:
        return status, math.inf, math.inf, math.inf, False
    error, e_k, e_k1, e_k2 = estimate(k, h, c, vectors, near_change_point(work.report[0]))
    return status, error, e_k, e_k1, prefers_lower(k, e_k, e_k1, e_k2)


@inline
def finish(tables, work, rhs, project, memory, t, h, k, c, vectors):
    """Correct, project, evaluate; on success the new state is stored."""
    correct(k, h, c, vectors)
    copy(vectors[NEXT], vectors[P])
    status = project_state(tables, work, project, memory, t, vectors[NEXT])
    if status == OK and projection_too_large(
        vectors[NEXT], vectors[P], vectors[WEIGHT], work.report[0], memory
    ):
        return MOVED
    if status == OK:
        status = evaluate(tables, work, rhs, memory, t, vectors[NEXT], vectors[SLOPE])
    if status == OK:
        status = branch_status(work.report[0], memory)
    if status == OK:
        accept(k, c, vectors)
    return status


@kernel
def step(tables, work, rhs, project, run):
    """One accepted step, after as many attempts as it takes, or the cause of the failure."""
    control, memory, c, vectors = run.control[0], run.memory[0], run.coefficients, run.vectors
    weigh(control, vectors[ATOL], vectors[Y], vectors[WEIGHT])
    failures, jumps, cause, memory.shift = 0, 0, OK, math.inf
    while not too_small(memory.h, memory.t, control):
        h, k = limited(memory, control), memory.order
        t = end_time(memory, h, control)
        memory.equal_steps = count_equal_steps(h, memory)
        status, error, e_k, e_k1, lower = attempt(tables, work, rhs, memory, t, h, k, c, vectors)
        if (
            error <= 1.0
            and jumps < JUMPS
            and t < control.t_end
            and near_singular_step(work.report[0], memory)
        ):
            jumps += 1
            memory.rejected, memory.start_phase, memory.equal_steps = memory.rejected + 1, 0, 0
            memory.h = JUMP * h
            continue
        if status == OK and error <= 1.0:
            status = finish(tables, work, rhs, project, memory, t, h, k, c, vectors)
            if status == OK:
                arrive(memory, t, h, k, error)
                memory.start_phase = memory.start_phase and not lower and k < control.order
                memory.order, e = next_order(k, lower, e_k, e_k1, vectors, memory, control)
                memory.h = next_length(h, memory.order, e, memory.start_phase)
                return OK
        failures, cause = failures + 1, cause if status == OK else status
        memory.rejected, memory.start_phase, memory.equal_steps = memory.rejected + 1, 0, 0
        memory.order = 1 if failures >= 3 else k - 1 if lower else k
        memory.h = h * shrink(failures, e_k)
    return failure_cause(cause, work.report[0], vectors[Y], vectors[WEIGHT])


@kernel
def start(tables, work, rhs, project, run):
    """Start with order one and a small first step; both rise until the error stops them."""
    memory, vectors = run.memory[0], run.vectors
    status = begin(tables, work, rhs, run)
    if status == OK:
        memory.h = first_step(
            tables, work, rhs, run, 1, vectors[WEIGHT], vectors[P], vectors[SLOPE]
        )
        memory.order, memory.start_phase = 1, 1
        for i in range(vectors.shape[1]):
            vectors[CARRY, i] = 0.0
            vectors[PHI + 1, i] = vectors[YDOT, i]
            for j in range(2, MAX_ORDER + 3):
                vectors[PHI + j, i] = 0.0
    return status


@kernel
def dense(run, t, out):
    """Interpolate the state at a time t inside the last step."""
    memory = run.memory[0]
    interpolate(t - memory.t, memory.order_used, run.coefficients, run.vectors, out)
    return OK
