"""Backward differentiation for stiff machines: variable step and order 1 .. 5, or 6 [Gear1971;
Shampine1997].

A step solves one nonlinear system (`newton_iteration.py`), tests its error, and settles the new
state onto the constraints. The length changes only where it pays, since every change costs new
factors; the Jacobian is renewed where the iteration with the old one converges badly. After
repeated failures the past is forgotten and the method starts anew at order one: that is how it gets
over jumps of the forces.
"""

import math

from ....kernel.decorators import inline, kernel
from ...kkt.singular_steps import JUMP, JUMPS, branch_status, near_singular_step
from ..measures import copy, finite, moved_far, norm, weigh
from ..memory import ATOL, BDF, BODIES, FULL, YDOT, Y
from ..newton.iteration import ANEW, LAST, RENEWED, iterate, linearise, renew_factors
from ..stepping import (
    MOVED,
    NOT_FINITE,
    OK,
    arrive,
    begin,
    evaluate,
    first_step,
    limited,
    reach,
    settle_finite,
    too_small,
    why_too_small,
)
from .adams_differences import NEXT, WEIGHT
from .bdf_differences import (
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

# errors are held this far below the tolerance: those of backward steps add up rather than cancel
CAREFUL = 4.0
SAFETY = 0.8
LONGEST_USE = 50  # steps a Jacobian may serve, or twice as many as the evaluations it costs
WORTH = 1.2  # a longer step must gain at least this much: it costs new factors
LARGEST = 10.0
NO_JACOBIAN = 1 << 40  # age of one that is yet to be computed
FORGET = 4  # failures of one step after which its past is forgotten
QUICK = (
    0.1  # rate of the iteration at which inertias and rows need not be taken anew with new factors
)
_SAME = 1e-12  # relative difference of c below which the factors are those of this step


@inline
def change_length(h, memory, c, vectors):
    """Make the differences those of steps of length h."""
    if abs(h - memory.spacing) > _SAME * h:
        rescale(memory.order, h / memory.spacing, c, vectors)
        memory.spacing, memory.equal_steps = h, 0


@inline
def forget(memory, h, vectors):
    """Order one from the present state and its slope."""
    for i in range(vectors.shape[1]):
        vectors[D, i] = vectors[Y, i]
        vectors[D + 1, i] = h * vectors[YDOT, i]
        for j in range(2, HIGHEST + 3):
            vectors[D + j, i] = 0.0
    memory.order, memory.equal_steps, memory.spacing = 1, 0, h


@inline
def renew_slope(tables, work, rhs, memory, vectors):
    """The slope at the present state, which no step needed; False where it cannot be had."""
    found = evaluate(tables, work, rhs, memory, memory.t, vectors[Y], vectors[SLOPE]) == OK
    if found:
        copy(vectors[SLOPE], vectors[YDOT])
    return found


@inline
def restart(tables, work, rhs, memory, h, vectors):
    """Forget the past, if the slope at the present state can be had."""
    if renew_slope(tables, work, rhs, memory, vectors):
        forget(memory, h, vectors)


@inline
def solve(tables, work, rhs, run, t, h, k):
    """(status, converged) of the step: with the last factors, with new ones of old derivatives,
    with new derivatives.
    """
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    c, status, converged = h / ALPHA[k], OK if finite(vectors[PREDICTED]) else NOT_FINITE, False
    good = (
        control.newton == BODIES and memory.rate <= QUICK
    )  # rows that close loops must not be old
    first = LAST if abs(memory.c - c) <= _SAME * c else RENEWED
    first = ANEW if memory.age > max(LONGEST_USE, 2 * control.per_jacobian) else first
    for attempt in range(first, ANEW + 1 if status == OK else 0):
        if attempt == RENEWED and first == LAST and control.newton == FULL:
            continue  # the factors would be the same
        good = good and attempt == first
        status = linearise(tables, work, rhs, run, t, h, attempt, good)
        if status != OK or (attempt > LAST and not renew_factors(tables, work, run, c)):
            break
        status, converged = iterate(tables, work, rhs, run, t, c)
        if converged or (attempt > LAST and memory.age == 0):
            break
    return status, converged


@inline
def next_order(k, error, vectors, control):
    """(order, factor) of the longest next step; the error of each order goes with the power order +
    1 of the length.
    """
    best, factor = k, error ** (-1.0 / (k + 1)) if error > 0.0 else LARGEST
    for order in (k - 1, k + 1):
        if (
            1 <= order <= (control.order if control.order <= HIGHEST else USUAL)
        ):  # more: that of the Adams method
            e = CAREFUL * ERROR[order] * norm(vectors[D + order + 1], vectors[WEIGHT])
            gain = e ** (-1.0 / (order + 1)) if e > 0.0 else LARGEST
            if gain > factor:
                best, factor = order, gain
    return best, min(LARGEST, SAFETY * factor)


@inline
def plan(h, k, error, memory, control, vectors):
    """Order and length of the next step: changed after k + 1 equal steps at the earliest, and only
    where it pays.
    """
    memory.equal_steps += 1
    memory.age += 1
    memory.h = memory.spacing
    if memory.equal_steps <= k:
        return
    order, factor = next_order(k, error, vectors, control)
    if factor >= WORTH or factor < 0.9:
        memory.order, memory.equal_steps, memory.h = order, 0, factor * h


@inline
def conclude(tables, work, project, memory, t, vectors):
    """Settle the new state; on success it is in place."""
    copy(vectors[NEXT], vectors[SLOPE])
    status = settle_finite(tables, work, project, memory, t, vectors[NEXT])
    if status == OK and moved_far(
        vectors[NEXT], vectors[SLOPE], vectors[WEIGHT], work.report[0], memory
    ):
        return MOVED
    if status == OK:
        status = branch_status(work.report[0], memory)
    if status == OK:
        copy(vectors[NEXT], vectors[Y])
        work.report[0].fresh = 0  # the next evaluation is a step away: frozen factors would not pay
    return status


@inline
def take_step(tables, work, solve, rhs, project, run):
    """One accepted step, after as many attempts as it takes; or the cause why there is none."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    weigh(control, vectors[ATOL], vectors[Y], vectors[WEIGHT])
    failures, jumps, cause, t, memory.moved = 0, 0, OK, memory.t, math.inf
    while not too_small(memory.h, memory.t, control):
        h, k, shrink = limited(memory, control), memory.order, 0.5
        t = reach(memory, h, control)
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
                    memory.stale = SLOPE
                    plan(h, k, error, memory, control, vectors)
                    return OK
            shrink = max(0.2, min(0.9, SAFETY * error ** (-1.0 / (k + 1))))
        failures, cause = failures + 1, cause if status == OK else status
        memory.rejected, memory.equal_steps, memory.h = memory.rejected + 1, 0, h * shrink
        if failures >= FORGET:
            restart(tables, work, rhs, memory, memory.h, vectors)
    if cause != OK:
        evaluate(
            tables, work, rhs, memory, t, vectors[PREDICTED], vectors[SLOPE]
        )  # leaves what failed to be looked at
    return why_too_small(cause, work.report[0], vectors[Y], vectors[WEIGHT])


@kernel
def step(tables, work, rhs, project, run):
    """One step with the equations as the formulation has solved them for the accelerations."""
    return take_step(tables, work, solve, rhs, project, run)


@kernel
def start(tables, work, rhs, project, run):
    """Order one and a small first step."""
    memory, vectors = run.memory[0], run.vectors
    status = begin(tables, work, rhs, run)
    if status == OK:
        memory.h = first_step(
            tables, work, rhs, run, 1, vectors[WEIGHT], vectors[NEXT], vectors[SLOPE]
        )
        memory.h = limited(memory, run.control[0])
        forget(memory, memory.h, vectors)
        memory.method, memory.age = BDF, NO_JACOBIAN
    return status


@kernel
def dense(run, t, out):
    """State at a time t inside the last step."""
    memory = run.memory[0]
    interpolate(t - memory.t, memory.order_used, memory.h_used, run.vectors, out)
    return OK
