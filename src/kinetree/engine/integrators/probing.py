"""Probing: evaluations inside accepted steps that find switches of user code.

A step evaluates user code only at its own times. A pulse between these times would be missed. So
the equations are also evaluated along the interpolating polynomial p of the step, at times at most
`control.probe` apart, and compared with p':

    r(t) = f(t, p(t)) - p'(t)                 the defect [Enright1989]; |h r| in tolerances

The defect of a smooth motion is small or, where the equations are stiff, as smooth as p. Otherwise
the part that no polynomial of degree 6 explains is large: then user code switches inside the step.
The first switch is located by bisection, to the last digit. The step is undone, and the run
continues in two segments, with a restart of the method between them (run.py).
description/lowering/user_steps.py chooses the spacing of the probes and the longest step of a
model, from the time bounds of its user functions.
"""

import math

import numpy as np

from ...kernel.algebra.blas1 import copy
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from .memory import ATOL, Y
from .stepping import OK, evaluate

SWITCHED = int(Status.SWITCHED)
# rows of `probes`: the state before the step, scratch, the defects
START, POINT, SLOPE, SIDE, DEFECTS = range(5)
INSIDE = 16  # times of a step at which defects are compared, its start first
ROWS = DEFECTS + INSIDE
# probes of a step at most; the longest step is as long as four of their intervals, unless
# `max_step` is longer
MOST_PROBES = 7
LARGE = 30.0  # tolerances: a step with such a defect is examined
ROUGH = 0.03  # of the largest defect: part that no polynomial explains
# of the step: differences of p, whose error of order 4 is small against tolerances then
NEAR = 1.0 / 64.0
AT_START = 1e-9  # of the step: a switch this close to its start lies before it
_S = np.arange(INSIDE) / INSIDE


def _across(columns: np.ndarray) -> np.ndarray:
    """Projection onto the complement of the columns, by Gram and Schmidt."""
    P = np.eye(len(columns))
    for column in columns.T:
        left = [math.fsum(row * column) for row in P]
        P -= np.outer(left, left) / math.fsum(np.square(left))
    return P


# what least squares leaves
UNEXPLAINED = _across(np.polynomial.chebyshev.chebvander(2.0 * _S - 1.0, 6))


@inline
def save_start(run):
    """Store the state before a step, which may be undone."""
    if run.control[0].probe > 0.0:
        copy(run.vectors[Y], run.probes[START])


@inline
def weighted(run, i, r):
    """h r of a component, in tolerances."""
    control, memory = run.control[0], run.memory[0]
    size = max(abs(run.vectors[Y, i]), abs(run.probes[START, i]))
    return abs(r) * (memory.t - memory.t_before) / (control.rtol * size + abs(run.vectors[ATOL, i]))


@internal_kernel
def defect(tables, work, rhs, dense, run, t, out):
    """r(t), with p' by central differences of order 4.

    Where the equations cannot be evaluated the defect is zero.
    """
    memory, point, side = run.memory[0], run.probes[POINT], run.probes[SIDE]
    d = NEAR * (memory.t - memory.t_before)
    dense(run, t, point)
    if evaluate(tables, work, rhs, memory, t, point, out) != OK:
        for i in range(memory.n):
            out[i] = 0.0
        return
    for k, c in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
        dense(run, t + k * d, side)
        for i in range(memory.n):
            out[i] -= c * side[i] / (12.0 * d)


@inline
def has_large_defect(tables, work, rhs, dense, run, count):
    """Whether one of `count` probes finds a large defect."""
    memory, slope = run.memory[0], run.probes[SLOPE]
    for j in range(1, count + 1):
        defect(
            tables,
            work,
            rhs,
            dense,
            run,
            memory.t_before + j / (count + 1) * (memory.t - memory.t_before),
            slope,
        )
        for i in range(memory.n):
            if weighted(run, i, slope[i]) > LARGE:
                return True
    return False


@inline
def least_smooth_component(run):
    """Component whose defect a polynomial explains least, or -1."""
    memory, r = run.memory[0], run.probes
    found, worst = -1, LARGE / 3.0
    for i in range(memory.n):
        most, left = 0.0, 0.0
        for k in range(INSIDE):
            rest = 0.0
            for m in range(INSIDE):
                rest += UNEXPLAINED[k, m] * r[DEFECTS + m, i]
            most, left = max(most, abs(r[DEFECTS + k, i])), max(left, abs(rest))
        if left > ROUGH * most and weighted(run, i, left) > worst:
            found, worst = i, weighted(run, i, left)
    return found


@inline
def largest_change(run, i):
    """Largest change of a defect between two neighboring times."""
    r, largest = run.probes, 0.0
    for k in range(1, INSIDE):
        largest = max(largest, abs(r[DEFECTS + k, i] - r[DEFECTS + k - 1, i]))
    return largest


@internal_kernel
def locate(tables, work, rhs, dense, run, i, k):
    """Locate the change of the defect between the times k - 1 and k.

    Writes  memory.switch_before, memory.switch_after, the two numbers around it
    """
    memory, r = run.memory[0], run.probes
    h = memory.t - memory.t_before
    a, b = memory.t_before + (k - 1) / INSIDE * h, memory.t_before + k / INSIDE * h
    at_a, at_b = r[DEFECTS + k - 1, i], r[DEFECTS + k, i]
    while True:
        t = 0.5 * (a + b)
        if not a < t < b or b - a <= 1e-13 * h:
            break
        defect(tables, work, rhs, dense, run, t, r[SLOPE])
        now = r[SLOPE, i]
        if abs(now - at_a) >= abs(at_b - now):
            b, at_b = t, now
        else:
            a, at_a = t, now
    memory.switch_before, memory.switch_after = a, b


@inline
def undo_step(run):
    """Undo the step that was logged last."""
    memory = run.memory[0]
    memory.row -= 1
    memory.accepted -= 1
    memory.rejected_logged -= run.log[memory.row].rejected
    memory.evaluations_logged -= run.log[memory.row].evaluations
    memory.t = memory.t_before
    copy(run.probes[START], run.vectors[Y])


@inline
def probe_step(tables, work, rhs, dense, run):
    """OK, or SWITCHED: the step is undone, and the memory has the times around the switch."""
    control, memory = run.control[0], run.memory[0]
    h = memory.t - memory.t_before
    if control.probe <= 0.0 or h <= control.probe:
        return OK
    if not has_large_defect(
        tables, work, rhs, dense, run, min(math.ceil(h / control.probe) - 1, MOST_PROBES)
    ):
        return OK
    for k in range(INSIDE):
        defect(
            tables, work, rhs, dense, run, memory.t_before + k / INSIDE * h, run.probes[DEFECTS + k]
        )
    i = least_smooth_component(run)
    if i < 0:
        return OK
    least = 0.5 * largest_change(run, i)
    for k in range(1, INSIDE):
        if abs(run.probes[DEFECTS + k, i] - run.probes[DEFECTS + k - 1, i]) >= least:
            locate(tables, work, rhs, dense, run, i, k)
            if memory.switch_after - memory.t_before > AT_START * h:
                undo_step(run)
                return SWITCHED
    return OK
