"""Runge-Kutta methods, with and without error control, for any tableau (tableau.py).

A step evaluates the stages and the new state, tests its error if the tableau has an estimate,
projects the new state onto the constraints, and evaluates the slope there. Where the error needs
that slope, the projection comes before the test, so that one evaluation serves the error, the
polynomial inside the step and the next step. The quantities of the polynomial stay in the rows of
the stages until the next step.
"""

import math

from ....kernel.algebra.blas1 import copy
from ....kernel.decorators import inline, kernel
from ...kkt.singular_steps import CHANGE_POINT, JUMP, JUMPS, branch_status, near_singular_step
from ..error_norm import norm, projection_too_large, weight_of
from ..memory import ATOL, METHOD_ROWS, YDOT, Y
from ..stepping import (
    EPS,
    MOVED,
    OK,
    arrive,
    begin,
    end_time,
    evaluate,
    failure_cause,
    first_step,
    interpolation_needed,
    limited,
    project_state,
    too_small,
)
from .fixed_steps import length, target
from .tableau import (
    DENSE,
    E2,
    EARLY,
    EXTRA,
    INFO,
    MOST,
    ORDER,
    PAST,
    POWER,
    STAGES,
    TWICE,
    A,
    B,
    C,
    D,
    E,
)

K = METHOD_ROWS  # stages k_1 .. in rows K ..; k_{S+1} is the slope at the new state
SPACINGS = 64.0  # of numbers around t: a step of this length cannot be divided much further
SURPRISE = 10.0  # error of a trial that no smooth motion has: steps are chosen for one half
# factor by which an estimate may miss a jump of the slopes: 170 for dopri5, 27 for dop853 at worst
STRICT = 100.0
NEXT, TRIAL, SLOPE, WEIGHT, BEFORE, ROWS = range(K + MOST, K + MOST + 6)


@inline
def combine(h, weights, count, vectors, out):
    """out = h sum of weighted stages."""
    for i in range(len(out)):
        out[i] = 0.0
    for s in range(count):
        factor = h * weights[s]
        if factor != 0.0:
            for i in range(len(out)):
                out[i] += factor * vectors[K + s, i]


@inline
def from_start(h, weights, count, vectors, out):
    """out = y + h sum of weighted stages."""
    combine(h, weights, count, vectors, out)
    for i in range(len(out)):
        out[i] += vectors[Y, i]


@inline
def stage(tables, work, rhs, memory, s, t, h, c, vectors):
    """k_{s+1}; its argument is in row TRIAL."""
    from_start(h, c[A + s], s, vectors, vectors[TRIAL])
    at = t if c[C, s] == 1.0 else memory.t + c[C, s] * h
    return evaluate(tables, work, rhs, memory, at, vectors[TRIAL], vectors[K + s])


@inline
def stages(tables, work, rhs, run, t, h):
    """k_2 .. k_S, and the new state in row NEXT."""
    c, memory, vectors = run.coefficients, run.memory[0], run.vectors
    count, status = int(c[INFO, STAGES]), OK
    copy(vectors[YDOT], vectors[K])
    for s in range(1, count):
        status = stage(tables, work, rhs, memory, s, t, h, c, vectors)
        if status != OK:
            return status
    from_start(h, c[B], count, vectors, vectors[NEXT])
    return status


@inline
def stages_inside(tables, work, rhs, run, t, h):
    """Stages that only the polynomial inside the step needs, where it is needed."""
    c, memory, vectors = run.coefficients, run.memory[0], run.vectors
    count, extra, status = int(c[INFO, STAGES]), int(c[INFO, EXTRA]), OK
    if extra == 0 or not interpolation_needed(run, t):
        return OK
    if c[INFO, EARLY] == 0.0:
        status = evaluate(tables, work, rhs, memory, t, vectors[NEXT], vectors[K + count])
    for s in range(count + 1, count + 1 + extra):
        if status == OK:
            status = stage(tables, work, rhs, memory, s, t, h, c, vectors)
    return status


@inline
def error_of(h, run):
    """Estimated error, in tolerances at the larger end of the step."""
    control, c, vectors = run.control[0], run.coefficients, run.vectors
    count = int(c[INFO, STAGES]) + 1
    error, weight = vectors[SLOPE], vectors[WEIGHT]
    for i in range(len(error)):
        size = max(abs(vectors[Y, i]), abs(vectors[NEXT, i]))
        weight[i] = weight_of(control, size, vectors[ATOL, i])
    combine(h, c[E], count, vectors, error)
    first = norm(error, weight)
    if c[INFO, TWICE] == 0.0 or first == 0.0:
        return first
    combine(h, c[E2], count, vectors, error)
    return first / math.sqrt(1.0 + 0.01 * (norm(error, weight) / first) ** 2)


@inline
def doubted(error, memory, t, h):
    """Error of a trial up to t, times STRICT after a trial failed unexpectedly, until that time.

    Estimates are weighted sums of slopes, with weights that cancel for smooth motion. They see a
    jump or kink inside the step only in part, depending on its place, and in some places not at
    all. A rejected trial shows that there is one. A step of a few spacings of numbers around t has
    found it.
    """
    if memory.t < memory.doubt_end:
        return STRICT * error if h > SPACINGS * EPS * abs(t) else error
    if SURPRISE < error < math.inf:
        memory.doubt_end = t
    return error


@inline
def project_and_evaluate(tables, work, rhs, project, run, t, known, slope):
    """Project the new state; then evaluate the slope there, unless it is known and nothing moved.

    The state before the projection is in row TRIAL.
    """
    memory, vectors = run.memory[0], run.vectors
    copy(vectors[NEXT], vectors[TRIAL])
    status = project_state(tables, work, project, memory, t, vectors[NEXT])
    moved = not known
    for i in range(vectors.shape[1]):
        moved = moved or vectors[NEXT, i] != vectors[TRIAL, i]
    if status == OK and moved:
        status = evaluate(tables, work, rhs, memory, t, vectors[NEXT], slope)
    return status


@inline
def finish(tables, work, rhs, project, run, t):
    """The projected new state in row NEXT, and the derivative there in SLOPE.

    A fixed step cannot be shortened, so its projection may be large.
    """
    c, memory, vectors, status = run.coefficients, run.memory[0], run.vectors, OK
    end, early = K + int(c[INFO, STAGES]), c[INFO, EARLY] != 0.0
    # the slope is in the row of k_{S+1}
    known = early or (c[INFO, EXTRA] > 0.0 and interpolation_needed(run, t))
    if known:
        copy(vectors[end], vectors[SLOPE])
    if not early:
        status = project_and_evaluate(tables, work, rhs, project, run, t, known, vectors[SLOPE])
    if not known:
        copy(vectors[SLOPE], vectors[end])
    fixed = run.control[0].h_fixed > 0.0
    if (
        status == OK
        and not fixed
        and projection_too_large(
            vectors[NEXT], vectors[TRIAL], vectors[WEIGHT], work.report[0], memory
        )
    ):
        return MOVED
    return branch_status(work.report[0], memory) if status == OK else status


@inline
def accept(run, t, h, error):
    """Store the new state as the present one; the old one stays for samples inside the step."""
    vectors = run.vectors
    arrive(run.memory[0], t, h, int(run.coefficients[INFO, ORDER]), error)
    copy(vectors[Y], vectors[BEFORE])
    copy(vectors[NEXT], vectors[Y])
    copy(vectors[SLOPE], vectors[YDOT])


@inline
def factor_of(error, error_old, info):
    """Ratio of the next step length to the present one."""
    if error == 0.0:
        return 10.0
    return max(0.2, min(10.0, 0.9 * error ** -info[POWER] * error_old ** info[PAST]))


@kernel
def step_controlled(tables, work, rhs, project, run):
    """One accepted step, after as many attempts as it takes, or the cause of the failure."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    info = run.coefficients[INFO]
    jumps, cause, growth, memory.shift = 0, OK, 10.0, math.inf
    while not too_small(memory.h, memory.t, control):
        h = limited(memory, control)
        t = end_time(memory, h, control)
        status = stages(tables, work, rhs, run, t, h)
        if status == OK and info[EARLY] != 0.0:
            status = project_and_evaluate(
                tables, work, rhs, project, run, t, False, vectors[K + int(info[STAGES])]
            )
        error = doubted(error_of(h, run), memory, t, h) if status == OK else math.inf
        if (
            (error <= 1.0 or status == CHANGE_POINT)
            and jumps < JUMPS
            and t < control.t_end
            and near_singular_step(work.report[0], memory)
        ):
            jumps += 1
            memory.rejected, growth, memory.h = memory.rejected + 1, 1.0, JUMP * h
            continue
        if error <= 1.0:
            status = stages_inside(tables, work, rhs, run, t, h)
            if status == OK:
                status = finish(tables, work, rhs, project, run, t)
            if status == OK:
                memory.h = h * min(growth, factor_of(error, max(memory.error, 1e-4), info))
                accept(run, t, h, error)
                return OK
        cause = cause if status == OK else status
        memory.rejected, growth = memory.rejected + 1, 1.0
        memory.h = h * (
            min(0.9, factor_of(error, 1.0, info)) if status == OK and error < math.inf else 0.5
        )
    return failure_cause(cause, work.report[0], vectors[Y], vectors[WEIGHT])


@kernel
def step_fixed(tables, work, rhs, project, run):
    """One step of the given length."""
    control, memory = run.control[0], run.memory[0]
    h, t = length(memory, control), target(memory, control)
    status = stages(tables, work, rhs, run, t, h)
    if status == OK:
        status = stages_inside(tables, work, rhs, run, t, h)
    if status == OK:
        status = finish(tables, work, rhs, project, run, t)
    if status == OK:
        accept(run, t, h, 0.0)
    return status


@kernel
def start(tables, work, rhs, project, run):
    """Evaluate the first derivative, and choose the first step where steps are controlled."""
    memory, vectors = run.memory[0], run.vectors
    status, memory.doubt_end = begin(tables, work, rhs, run), -math.inf
    if status == OK and run.control[0].h_fixed == 0.0:
        order = int(run.coefficients[INFO, ORDER])
        memory.h = first_step(
            tables, work, rhs, run, order, vectors[WEIGHT], vectors[TRIAL], vectors[SLOPE]
        )
    return status


@kernel
def dense(run, t, out):
    """Interpolate the state at a time t inside the last step."""
    c, memory, x = run.coefficients, run.memory[0], run.vectors
    h, count, rows = memory.h_used, int(c[INFO, STAGES]), int(c[INFO, DENSE])
    s, every = min((t - memory.t_before) / h, 1.0), count + 1 + int(c[INFO, EXTRA])
    for i in range(len(out)):
        r1 = x[Y, i] - x[BEFORE, i]
        r2 = h * x[K, i] - r1
        r3 = r1 - h * x[K + count, i] - r2
        rest = 0.0
        for m in range(rows - 1, -1, -1):
            rest *= s if m % 2 == 0 else 1.0 - s
            for k in range(every):
                rest += h * c[D + m, k] * x[K + k, i]
        out[i] = x[BEFORE, i] + s * (r1 + (1.0 - s) * (r2 + s * (r3 + (1.0 - s) * rest)))
    return OK
