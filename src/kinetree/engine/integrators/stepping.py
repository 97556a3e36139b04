"""Parts of a step that all methods share: evaluation, projection, step length, and the log."""

import math

from ...kernel.algebra.blas1 import copy
from ...kernel.algebra.convergence import all_finite
from ...kernel.decorators import inline
from ...kernel.tables.fault import NO_FAULT, clear_fault, record_failure
from ...kernel.tables.status import Status
from ..equations.interface import driver_is_continuous
from ..kkt.singular_steps import (
    CHANGE_POINT,
    branch_status,
    near_change_point,
    near_singular_step,
)
from .error_norm import norm, weigh
from .memory import ATOL, YDOT, Y

OK, MORE, DONE = int(Status.OK), int(Status.MORE), int(Status.DONE)
NOT_FINITE, STEP_TOO_SMALL = int(Status.NOT_FINITE), int(Status.STEP_TOO_SMALL)
TOO_MUCH_ACCURACY = int(Status.TOO_MUCH_ACCURACY)
MOVED, OPEN = int(Status.MOVED), int(Status.NO_CLOSURE)
USER_CODE, INTERRUPTED = int(Status.USER_CODE), int(Status.INTERRUPTED)
EPS = 2.0**-52
REST = 0.01  # of the rest of a run: first step of bodies that rest on each other


@inline
def count_evaluation(memory, report):
    """Count one more evaluation; False if the run must stop here."""
    if report.stop != 0:
        return False
    memory.evaluations += 1
    clear_fault(report)
    return True


@inline
def checked_status(work, status, t, y):
    """Status of an evaluation; a failure is stored with its time and state.

    USER_CODE if a user function returned no value, whatever else the evaluation gave.
    """
    if work.report[0].fault != NO_FAULT:
        status = USER_CODE
    if status != OK:
        record_failure(work, t, y)
    return status


@inline
def evaluate(tables, work, rhs, memory, t, y, ydot):
    """ydot = f(t, y), counted and checked."""
    if not count_evaluation(memory, work.report[0]):
        return INTERRUPTED
    status = rhs(tables, work, t, y, ydot)
    if status == OK and not all_finite(ydot):
        status = NOT_FINITE
    return checked_status(work, status, t, y)


@inline
def project_state(tables, work, project, memory, t, y):
    """Project the new state y onto the constraints, in place, unless a driver jumps in the step.

    Only user functions of drivers matter here, those of loads do not. A projection that fails
    beside a change point returns CHANGE_POINT.
    """
    if not all_finite(y):
        return NOT_FINITE
    clear_fault(work.report[0])
    status = driver_is_continuous(tables, work, memory.t, t)
    if status == OK:
        status = project(tables, work, t, y)
    if status == OK and not all_finite(y):
        status = NOT_FINITE
    if status != OK and work.report[0].fault != NO_FAULT:
        status = USER_CODE
        record_failure(work, t, y)
    if status == OPEN and near_singular_step(work.report[0], memory):
        return CHANGE_POINT
    return branch_status(work.report[0], memory) if status == OK else status


@inline
def interpolation_needed(run, t):
    """Whether states inside a step that ends at t will be interpolated."""
    memory, times, probe = run.memory[0], run.samples_t, run.control[0].probe
    if len(run.points) > 0 or run.control[0].contacts > 0 or (probe > 0.0 and t - memory.t > probe):
        return True
    return memory.sample < len(times) and times[memory.sample] <= t


@inline
def segment_done(run):
    """Whether the segment has ended; at a stop inside it, t_end moves to the next stop."""
    control, memory = run.control[0], run.memory[0]
    while memory.t >= control.t_end and memory.next_stop < len(run.stops):
        control.t_end = run.stops[memory.next_stop]
        memory.next_stop += 1
    return memory.t >= control.t_end


@inline
def longest_step(report):
    """Longest step that the equations allow, rounded down to a power of two.

    A limit that changes a little at every step would cost multistep methods their equal steps.
    """
    if 0.0 < report.longest < math.inf:
        return 2.0 ** math.floor(math.log2(report.longest))
    return math.inf


@inline
def limited(memory, control):
    """Step to try: at most h_max and the longest allowed step, and ending exactly at t_end.

    Where a short rest would be left before t_end, two equal steps reach it.
    """
    left = control.t_end - memory.t
    h = min(memory.h, control.h_max, memory.longest)
    if h >= left * (1.0 - 1e-12):
        return left
    return min(h, 0.5 * left)


@inline
def end_time(memory, h, control):
    """Time at the end of the step; exactly t_end for the last one."""
    return control.t_end if h >= control.t_end - memory.t else memory.t + (h - memory.t_carry)


@inline
def arrive(memory, t, h, order, error):
    """Accept the step; the rounding error of the time is subtracted from the next one."""
    memory.t_carry = (t - memory.t) - (h - memory.t_carry)
    memory.t_before, memory.t, memory.slope_row = memory.t, t, 0
    memory.h_used, memory.shortest, memory.order_used, memory.error = h, h, order, error


@inline
def too_small(h, t, control):
    """Whether h is below the spacing of numbers around t, or not a number."""
    return not h >= max(4.0 * EPS * abs(t), control.h_min)


@inline
def failure_cause(status, report, y, weight):
    """Cause of a collapsed step: a failed evaluation, a singular position, or a tolerance below
    rounding; else stiffness.
    """
    if status != OK and status != MOVED:
        return status
    if near_change_point(report):
        return CHANGE_POINT
    return TOO_MUCH_ACCURACY if 4.0 * EPS * norm(y, weight) > 1.0 else STEP_TOO_SMALL


@inline
def begin(tables, work, rhs, run):
    """Evaluate the first derivative, and store the samples at the start."""
    control, memory, report = run.control[0], run.memory[0], work.report[0]
    y = run.vectors[Y]
    memory.t = control.t_start
    status = evaluate(tables, work, rhs, memory, memory.t, y, run.vectors[YDOT])
    memory.started, memory.margin = status == OK, report.pivot_margin
    memory.longest = longest_step(report)
    while memory.sample < len(run.samples_t) and run.samples_t[memory.sample] <= memory.t:
        copy(y, run.samples_y[memory.sample])
        memory.sample += 1
    return status


@inline
def first_step(tables, work, rhs, run, order, weight, trial, slope):
    """First step size from the sizes of y, f and df/dt [Hairer1993, sec. II.4].

        h0 = |y| / 100 |f|
        h  = (1 / 100 max(|f|, |f(y + h0 f) - f| / h0))^(1 / (order + 1))  <=  100 order h0

    Rates are in units of `second`, so that a model has the same first step in any unit of time.
    The step is never shorter than the resolution of numbers around t: far from t = 0 the error test
    judges a longer one. Bodies that rest on each other with loads that do not change need no short one.
    """
    control, memory = run.control[0], run.memory[0]
    y, ydot = run.vectors[Y], run.vectors[YDOT]
    if control.h_initial > 0.0:
        return control.h_initial
    weigh(control, run.vectors[ATOL], y, weight)
    tiny, resolution = 1e-6 * (control.t_end - memory.t), 64.0 * EPS * abs(memory.t)
    second = control.second
    size, speed = norm(y, weight), norm(ydot, weight) * second
    h0 = min(
        0.01 * size / speed * second if size > 1e-5 and speed > 1e-5 else tiny,
        control.h_max,
        control.t_end - memory.t,
    )
    for i in range(len(y)):
        trial[i] = y[i] + h0 * ydot[i]
    held = total(work.place_loads)
    if evaluate(tables, work, rhs, memory, memory.t + h0, trial, slope) != OK:
        return 0.01 * h0
    for i in range(len(y)):
        slope[i] -= ydot[i]
    steepest = max(speed, norm(slope, weight) * second * second / h0)
    if steepest == 0.0 and control.contacts > 0 and total(work.place_loads) == held:
        return max(REST * (control.t_end - memory.t), resolution)
    if steepest < 1e-15:
        return max(tiny, 1e-3 * h0, resolution)
    h = min(100.0 * order * h0, (0.01 / steepest) ** (1.0 / (order + 1)) * second)
    return max(h, resolution)


@inline
def total(loads):
    """Sum of the loads of contacts."""
    found = 0.0
    for load in loads:
        found += load
    return found


@inline
def record(work, run):
    """Log the accepted step, with the report of the formulation about the new state."""
    memory, report, row = run.memory[0], work.report[0], run.log[run.memory[0].row]
    row.t, row.h, row.order, row.error = memory.t, memory.h_used, memory.order_used, memory.error
    row.rejected = memory.rejected - memory.rejected_logged
    row.evaluations = memory.evaluations - memory.evaluations_logged
    row.position_error, row.velocity_error = report.position_error, report.velocity_error
    row.iterations, row.factorisations = report.iterations, report.factorisations
    row.partitions, row.decompositions = report.partitions, report.decompositions
    row.jacobians, row.method = memory.jacobians, memory.method
    row.stiffness, row.threshold = memory.L, memory.threshold
    row.steps, row.shortest, row.longest = 1, memory.shortest, memory.h_used
    memory.rejected_logged, memory.evaluations_logged = memory.rejected, memory.evaluations
    memory.margin, memory.longest = report.pivot_margin, longest_step(report)
    memory.row += 1
    memory.accepted += 1
