"""User code inside accepted steps: does it do there what the step has seen?

A step sees user code where it evaluates the equations. A pulse between these times would be passed
in silence. So the equations are evaluated along the interpolating polynomial p of the step, at
times at most `control.probe` apart, and held against p':

    r(t) = f(t, p(t)) - p'(t)                 the defect [Enright1989]; |h r| in tolerances

Of a smooth motion it is small, or, where the equations are stiff, as smooth as p. Where it is
neither, its part that no polynomial of degree 6 explains is large: then user code switches inside.
The first place where it does is found by bisection, to the last digit. The step is taken back, and
the run goes on in two parts, with a start of the method anew in between (journey.py).
"""

import math

import numpy as np

from ...kernel.algebra.blas1 import copy
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from .memory import ATOL, Y
from .stepping import OK, evaluate

SWITCHED = int(Status.SWITCHED)
START, POINT, SLOPE, SIDE, DEFECTS = range(
    5
)  # rows of `probes`: the state before the step, scratch, the defects
INSIDE = 16  # times of a step at which defects are compared, its start first
ROWS = DEFECTS + INSIDE
# probes of a step at most; the longest step is as long as four of their intervals, unless
# `max_step` is longer
FEW = 7
LARGE = 30.0  # tolerances: what a step leaves unexplained by as much is looked into
ROUGH = 0.03  # of the largest defect: what of it no polynomial explains
NEAR = (
    1.0 / 64.0
)  # of the step: differences of p, whose error of order 4 is small against tolerances then
AT_START = 1e-9  # of the step: a switch as near to its start has been passed
_S = np.arange(INSIDE) / INSIDE


def _across(columns: np.ndarray) -> np.ndarray:
    """The projection across the columns, by Gram and Schmidt: a constant of kernels, made before
    any of them can be called.
    """
    P = np.eye(len(columns))
    for column in columns.T:
        left = [math.fsum(row * column) for row in P]
        P -= np.outer(left, left) / math.fsum(np.square(left))
    return P


UNEXPLAINED = _across(
    np.polynomial.chebyshev.chebvander(2.0 * _S - 1.0, 6)
)  # what least squares leaves


@inline
def save_start(run):
    """The state before a step, which may be taken back."""
    if run.control[0].probe > 0.0:
        copy(run.vectors[Y], run.probes[START])


@inline
def weighted(run, i, r):
    """h r of a component in tolerances."""
    control, memory = run.control[0], run.memory[0]
    size = max(abs(run.vectors[Y, i]), abs(run.probes[START, i]))
    return abs(r) * (memory.t - memory.t_before) / (control.rtol * size + abs(run.vectors[ATOL, i]))


@internal_kernel
def defect(tables, work, rhs, dense, run, t, out):
    """r(t); p' by central differences of order 4. Without a value of the equations there is none,
    and it counts as zero.
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
    """Whether a few probes find what the step does not explain."""
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
    """The component whose defect is least explained by a polynomial, or -1."""
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
    """Of the defect between two neighbours of the times inside."""
    r, largest = run.probes, 0.0
    for k in range(1, INSIDE):
        largest = max(largest, abs(r[DEFECTS + k, i] - r[DEFECTS + k - 1, i]))
    return largest


@internal_kernel
def locate(tables, work, rhs, dense, run, i, k):
    """The two numbers between which the defect changes, between the times k - 1 and k, into `quiet`
    and `loud`.
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
    """Forget the step that was logged last."""
    memory = run.memory[0]
    memory.row -= 1
    memory.accepted -= 1
    memory.rejected_logged -= run.log[memory.row].rejected
    memory.evaluations_logged -= run.log[memory.row].evaluations
    memory.t = memory.t_before
    copy(run.probes[START], run.vectors[Y])


@inline
def probe_step(tables, work, rhs, dense, run):
    """OK, or SWITCHED: the step is taken back, and `quiet` and `loud` are the numbers around the
    switch.
    """
    control, memory = run.control[0], run.memory[0]
    h = memory.t - memory.t_before
    if control.probe <= 0.0 or h <= control.probe:
        return OK
    if not has_large_defect(
        tables, work, rhs, dense, run, min(math.ceil(h / control.probe) - 1, FEW)
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
