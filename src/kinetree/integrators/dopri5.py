"""Dormand-Prince 5(4): adaptive, order 5, with continuous extension of order 4 [Dormand1980; Hairer1993].

    k_s = f(t + c_s h, y + h sum_{r<s} a_sr k_r),    y <- y + h sum_s a_7s k_s,    error = h sum_s e_s k_s

The last stage is the derivative at the new state; it is evaluated anew only if settling moved that state.
Step lengths by the PI rule h <- 0.9 h error^-0.17 error_old^0.04, within [0.2, 10]   [Hairer1993, sec. IV.2].
"""

import numpy as np

from ..dynamics.branches import JUMP, JUMPS, lands, on_branch
from ..num.jit import inline, kernel
from .memory import ATOL, OWN, YDOT, Y
from .stepping import (
    DONE,
    MORE,
    MOVED,
    OK,
    arrive,
    begin,
    copy,
    ended,
    evaluate,
    first_step,
    limited,
    moved_far,
    norm,
    reach,
    record,
    settle_finite,
    too_small,
    why_too_small,
)

STAGES = 7
K = YDOT  # stages k_1 .. k_7 in rows K .. K + 6; k_1 is the derivative at the present state
NEXT, TRIAL, SLOPE, WEIGHT, ROWS = range(OWN + STAGES - 1, OWN + STAGES + 4)
C = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
A = np.array([
    [0, 0, 0, 0, 0, 0],
    [1 / 5, 0, 0, 0, 0, 0],
    [3 / 40, 9 / 40, 0, 0, 0, 0],
    [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]])
E = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
D = np.array([  # of the continuous extension
    -12715105075 / 11282082432, 0, 87487479700 / 32700410799, -10690763975 / 1880347072,
    701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423])


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
def stages(rhs, tables, work, memory, h, vectors):
    """k_2 .. k_7; the argument of the last stage is the new state, left in NEXT."""
    y, out = vectors[Y], vectors[NEXT]
    for s in range(1, STAGES):
        combine(h, A[s], s, vectors, out)
        for i in range(len(y)):
            out[i] += y[i]
        status = evaluate(rhs, tables, work, memory, memory.t + C[s] * h, out, vectors[K + s])
        if status != OK:
            return status
    return OK


@inline
def error_of(h, control, vectors):
    """Estimated error in units of the tolerance at the larger end of the step."""
    error, weight = vectors[TRIAL], vectors[WEIGHT]
    combine(h, E, STAGES, vectors, error)
    for i in range(len(error)):
        size = max(abs(vectors[Y, i]), abs(vectors[NEXT, i]))
        weight[i] = control.share / (control.rtol * size + vectors[ATOL, i])
    return norm(error, weight)


@inline
def finish(rhs, settle, tables, work, memory, t, vectors):
    """Settle the new state; SLOPE = the derivative there."""
    copy(vectors[NEXT], vectors[TRIAL])
    copy(vectors[K + STAGES - 1], vectors[SLOPE])
    status = settle_finite(settle, tables, work, memory, t, vectors[NEXT])
    moved = False
    for i in range(vectors.shape[1]):
        moved = moved or vectors[NEXT, i] != vectors[TRIAL, i]
    if status == OK and moved_far(vectors[NEXT], vectors[TRIAL], vectors[WEIGHT], work.report[0], memory):
        return MOVED
    if status == OK and moved:
        status = evaluate(rhs, tables, work, memory, t, vectors[NEXT], vectors[SLOPE])
    return on_branch(work.report[0], memory) if status == OK else status


@inline
def sample(run, t_end, h):
    """Fill the samples up to t_end, before the step is made the present: the polynomial of [Hairer1993, sec. II.6].

        y(t + s h) = y + s (r1 + (1 - s)(r2 + s (r3 + (1 - s) r4)))
        r1 = Y - y,   r2 = h k_1 - r1,   r3 = r1 - h k_7 - r2,   r4 = h sum_s d_s k_s
    """
    memory, times, x = run.memory[0], run.samples_t, run.vectors
    if memory.sample == len(times) or times[memory.sample] > t_end:
        return
    combine(h, D, STAGES, x, x[TRIAL])
    while memory.sample < len(times) and times[memory.sample] <= t_end:
        s = min((times[memory.sample] - memory.t) / h, 1.0)
        for i in range(x.shape[1]):
            r1 = x[NEXT, i] - x[Y, i]
            r2 = h * x[K, i] - r1
            r3 = r1 - h * x[K + STAGES - 1, i] - r2
            run.samples_y[memory.sample, i] = x[Y, i] + s * (r1 + (1.0 - s) * (r2 + s * (r3 + (1.0 - s) * x[TRIAL, i])))
        memory.sample += 1


@inline
def factor_of(error, error_old):
    """How the step length changes."""
    if error == 0.0:
        return 10.0
    return max(0.2, min(10.0, 0.9 * error**-0.17 * error_old**0.04))


@inline
def step(rhs, settle, tables, work, run):
    """One accepted step, after as many attempts as it takes; or the cause why there is none."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    jumps, cause, growth, memory.moved = 0, OK, 10.0, np.inf
    while not too_small(memory.h, memory.t, control):
        h = limited(memory.h, memory.t, control)
        t = reach(memory, h, control)
        status = stages(rhs, tables, work, memory, h, vectors)
        error = error_of(h, control, vectors) if status == OK else np.inf
        if error <= 1.0 and jumps < JUMPS and t < control.t_end and lands(work.report[0], memory):
            jumps += 1
            memory.rejected, growth, memory.h = memory.rejected + 1, 1.0, JUMP * h
            continue
        if error <= 1.0:
            status = finish(rhs, settle, tables, work, memory, t, vectors)
            if status == OK:
                sample(run, t, h)
                memory.h = h * min(growth, factor_of(error, max(memory.error, 1e-4)))
                arrive(memory, t, h, 5, error)
                copy(vectors[NEXT], vectors[Y])
                copy(vectors[SLOPE], vectors[YDOT])
                return OK
        cause = cause if status == OK else status
        memory.rejected, growth = memory.rejected + 1, 1.0
        memory.h = h * (min(0.9, factor_of(error, 1.0)) if status == OK and error < np.inf else 0.5)
    return why_too_small(cause, work.report[0], vectors[Y], vectors[WEIGHT])


@inline
def start(rhs, tables, work, run):
    """First derivative and first step length."""
    memory, vectors = run.memory[0], run.vectors
    status = begin(rhs, tables, work, run)
    if status == OK:
        memory.h = first_step(rhs, tables, work, run, 5, vectors[WEIGHT], vectors[TRIAL], vectors[SLOPE])
    return status


@kernel
def advance(rhs, settle, tables, work, run):
    """The loop over accepted steps."""
    memory = run.memory[0]
    status = OK if memory.started else start(rhs, tables, work, run)
    while status == OK:
        if ended(run):
            return DONE
        if memory.row == len(run.log):
            return MORE
        status = step(rhs, settle, tables, work, run)
        if status == OK:
            record(run, work)
    return status
