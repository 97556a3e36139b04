"""Backward differentiation for stiff systems: variable step and order 1 .. 5, or 6 [Gear1971;
Shampine1997].

A step solves one nonlinear system (newton/iteration.py), tests its error, and projects the new
state onto the constraints. The length changes only where that pays, because every change costs a
factorization. The Jacobian is renewed where the iteration with the old one converges badly. After
repeated failures of one step the method discards its past and restarts at order one, which takes it
over jumps of the forces.
"""

import math

from ....kernel.algebra.blas1 import copy
from ....kernel.algebra.convergence import all_finite
from ....kernel.decorators import inline, kernel
from ...kkt.singular_steps import JUMP, JUMPS, branch_status, near_singular_step
from ..error_norm import norm, projection_too_large, weigh
from ..memory import ARTICULATED, ATOL, BDF, BODIES, DOFS, FULL, OF_ALL, SLOW_STEPS, YDOT, Y
from ..newton.articulated_iteration import judge_bodies, solve_articulated
from ..newton.full_jacobian import ANY_RATE
from ..newton.iteration import (
    ALL_DERIVATIVES,
    LAST_FACTORS,
    NEW_DERIVATIVES,
    NEW_FACTORS,
    NO_JACOBIAN,
    SAME,
    expected_rate,
    first_attempt,
    iterate,
    keep_rate,
    linearize,
    renew_factors,
)
from ..newton.load_derivatives import loads_suffice
from ..stepping import (
    MORE,
    MOVED,
    NOT_FINITE,
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
from .adams_formulas import NEXT, WEIGHT
from .bdf_formulas import (
    ALPHA,
    CHANGE,
    ERROR,
    HIGHEST,
    PREDICTED,
    SLOPE,
    USUAL,
    D,
    accept,
    interpolate,
    predict,
    rescale,
)

# factor by which errors stay below the tolerance: those of backward steps add up and do not cancel
CAREFUL = 4.0
SAFETY = 0.8
WORTH = 1.2  # least gain of a longer step, which costs a factorization
LARGEST = 10.0  # ratio of two steps
FORGET = 4  # failures of one step after which the past is discarded
SLOW = 0.3  # contraction from which all derivatives are computed, not those of the loads alone
LEAST_RATE = 0.02  # contraction that no step is trusted to fall below unseen
QUICK = 0.1  # contraction with which new factors are made from the old M and G


@inline
def change_length(h, memory, c, vectors):
    """Interpolate the differences to steps of length h."""
    if abs(h - memory.spacing) > SAME * h:
        rescale(memory.order, h / memory.spacing, c, vectors)
        memory.spacing, memory.equal_steps = h, 0


@inline
def forget(memory, h, vectors):
    """Discard the past: order one from the present state and its slope."""
    for i in range(vectors.shape[1]):
        vectors[D, i] = vectors[Y, i]
        vectors[D + 1, i] = h * vectors[YDOT, i]
        for j in range(2, HIGHEST + 3):
            vectors[D + j, i] = 0.0
    memory.order, memory.equal_steps, memory.spacing = 1, 0, h


@inline
def renew_slope(tables, work, rhs, memory, vectors):
    """Evaluate the slope at the present state, which no step needed; False if that fails."""
    found = evaluate(tables, work, rhs, memory, memory.t, vectors[Y], vectors[SLOPE]) == OK
    if found:
        copy(vectors[SLOPE], vectors[YDOT])
    return found


@inline
def restart(tables, work, rhs, memory, h, vectors):
    """Discard the past, if the slope at the present state can be evaluated."""
    if renew_slope(tables, work, rhs, memory, vectors):
        forget(memory, h, vectors)


@inline
def solve_by_degrees(tables, work, rhs, run, t, h, c):
    """(status, converged) of a step with the sparse matrix of a model with constraints.

    With the last factors, new ones, new derivatives of the loads, or all derivatives. The observed
    contraction is kept for new factors, so that many steps need one correction.
    """
    memory, status, converged, observed = run.memory[0], OK, False, False
    first = first_attempt(memory, c, run.control[0].per_jacobian, math.inf)
    for attempt in range(first, ALL_DERIVATIVES + 1):
        if attempt == ALL_DERIVATIVES:
            memory.derivatives = OF_ALL
        status = linearize(tables, work, rhs, run, t, h, min(attempt, NEW_DERIVATIVES), False)
        expected = max(LEAST_RATE, expected_rate(memory, c)) if attempt == first else ANY_RATE
        if status != OK or (attempt > LAST_FACTORS and not renew_factors(tables, work, run, c)):
            break
        memory.rate = expected
        status, converged = iterate(tables, work, rhs, run, t, c)
        observed = memory.rate != expected
        fresh = attempt > LAST_FACTORS and memory.jacobian_age == 0
        if converged or (fresh and not loads_suffice(run)):
            break
    judge_bodies(run, converged, observed)
    keep_rate(memory, converged, observed)
    want_all_derivatives(run, observed)
    return status, converged


@inline
def want_all_derivatives(run, observed):
    """Continue with all derivatives where those of the loads let the iteration converge slowly."""
    memory = run.memory[0]
    if observed and memory.rate > SLOW and loads_suffice(run):
        memory.derivatives, memory.jacobian_age = OF_ALL, NO_JACOBIAN


@inline
def solve(tables, work, rhs, run, t, h, k):
    """(status, converged) of a step: with the last factors, new ones, or a new Jacobian."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    c, converged = h / ALPHA[k], False
    status = OK if all_finite(vectors[PREDICTED]) else NOT_FINITE
    if control.newton == ARTICULATED and status == OK:
        return solve_articulated(tables, work, rhs, run, t, c)
    by_degrees = control.newton == DOFS or (control.newton == BODIES and work.g.shape[0] > 0)
    if by_degrees and status == OK:
        return solve_by_degrees(tables, work, rhs, run, t, h, c)
    good = control.newton == BODIES and memory.rate <= QUICK  # rows of loops must not be old
    first = first_attempt(memory, c, control.per_jacobian, math.inf)
    for attempt in range(first, NEW_DERIVATIVES + 1 if status == OK else 0):
        if attempt == NEW_FACTORS and first == LAST_FACTORS and control.newton == FULL:
            continue  # the factors would be the same
        good = good and attempt == first
        status = linearize(tables, work, rhs, run, t, h, attempt, good)
        if status != OK or (attempt > LAST_FACTORS and not renew_factors(tables, work, run, c)):
            break
        status, converged = iterate(tables, work, rhs, run, t, c)
        if converged or (attempt > LAST_FACTORS and memory.jacobian_age == 0):
            break
    return status, converged


@inline
def next_order(k, error, vectors, control):
    """(order, factor) of the longest next step: the error of order p falls with h^(p + 1)."""
    best, factor = k, error ** (-1.0 / (k + 1)) if error > 0.0 else LARGEST
    highest = control.order if control.order <= HIGHEST else USUAL  # higher: that of Adams
    for order in (k - 1, k + 1):
        if 1 <= order <= highest:
            e = CAREFUL * ERROR[order] * norm(vectors[D + order + 1], vectors[WEIGHT])
            gain = e ** (-1.0 / (order + 1)) if e > 0.0 else LARGEST
            if gain > factor:
                best, factor = order, gain
    return best, min(LARGEST, SAFETY * factor)


@inline
def plan(h, k, error, memory, control, vectors):
    """Choose order and length of the next step.

    They change after k + 1 equal steps at the earliest, and only where that pays.
    """
    memory.equal_steps += 1
    memory.jacobian_age += 1
    memory.h = memory.spacing
    if memory.equal_steps <= k:
        return
    order, factor = next_order(k, error, vectors, control)
    if factor >= WORTH or factor < 0.9:
        memory.order, memory.equal_steps, memory.h = order, 0, factor * h


@inline
def conclude(tables, work, project, memory, t, vectors):
    """Project the new state, and store it in row Y on success."""
    copy(vectors[NEXT], vectors[SLOPE])
    status = project_state(tables, work, project, memory, t, vectors[NEXT])
    if status == OK and projection_too_large(
        vectors[NEXT], vectors[SLOPE], vectors[WEIGHT], work.report[0], memory
    ):
        return MOVED
    if status == OK:
        status = branch_status(work.report[0], memory)
    if status == OK:
        copy(vectors[NEXT], vectors[Y])
        work.report[0].fresh = 0  # old factors do not pay a whole step away
    return status


@inline
def take_step(tables, work, solve, rhs, project, run):
    """One accepted step, after as many attempts as it takes, or the cause of the failure.

    MORE before it, where another matrix is wanted (`slow_steps`).
    """
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    weigh(control, vectors[ATOL], vectors[Y], vectors[WEIGHT])
    failures, jumps, cause, t, memory.shift = 0, 0, OK, memory.t, math.inf
    while not too_small(memory.h, memory.t, control):
        h, k, shrink = limited(memory, control), memory.order, 0.5
        t = end_time(memory, h, control)
        change_length(h, memory, run.coefficients, vectors)
        predict(k, vectors)
        status, converged = solve(tables, work, rhs, run, t, h, k)
        if converged:
            error = CAREFUL * ERROR[k] * norm(vectors[CHANGE], vectors[WEIGHT])
            if (
                error <= 1.0
                and jumps < JUMPS
                and t < control.t_end
                and near_singular_step(work.report[0], memory)
            ):
                jumps, memory.rejected, memory.h = jumps + 1, memory.rejected + 1, JUMP * h
                continue
            if error <= 1.0:
                status = conclude(tables, work, project, memory, t, vectors)
                if status == OK:
                    accept(k, vectors)
                    arrive(memory, t, h, k, error)
                    memory.slope_row = SLOPE
                    plan(h, k, error, memory, control, vectors)
                    return OK
            shrink = max(0.2, min(0.9, SAFETY * error ** (-1.0 / (k + 1))))
        failures, cause = failures + 1, cause if status == OK else status
        memory.rejected, memory.equal_steps, memory.h = memory.rejected + 1, 0, h * shrink
        if memory.slow_steps >= SLOW_STEPS:
            return MORE
        if failures >= FORGET:
            restart(tables, work, rhs, memory, memory.h, vectors)
    if cause != OK:  # stores the failure for the report
        evaluate(tables, work, rhs, memory, t, vectors[PREDICTED], vectors[SLOPE])
    return failure_cause(cause, work.report[0], vectors[Y], vectors[WEIGHT])


@kernel
def step(tables, work, rhs, project, run):
    """One step with the equations that the formulation solves for the accelerations."""
    return take_step(tables, work, solve, rhs, project, run)


@kernel
def start(tables, work, rhs, project, run):
    """Start with order one and a small first step."""
    memory, vectors = run.memory[0], run.vectors
    status = begin(tables, work, rhs, run)
    if status == OK:
        memory.h = first_step(
            tables, work, rhs, run, 1, vectors[WEIGHT], vectors[NEXT], vectors[SLOPE]
        )
        memory.h = limited(memory, run.control[0])
        forget(memory, memory.h, vectors)
        memory.method, memory.jacobian_age, memory.c = BDF, NO_JACOBIAN, 0.0
    return status


@kernel
def dense(run, t, out):
    """Interpolate the state at a time t inside the last step."""
    memory = run.memory[0]
    interpolate(t - memory.t, memory.order_used, memory.h_used, run.vectors, out)
    return OK
