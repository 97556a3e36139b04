"""What all time loops share: evaluating, choosing and limiting steps, keeping the log."""

import math

from ...kernel.decorators import inline
from ...kernel.tables.fault import NO_FAULT, clear_fault, record_failure
from ...kernel.tables.status import Status
from ..equations.interface import driver_is_continuous
from ..kkt.singular_steps import CHANGE_POINT, branch_status, near_change_point
from .measures import copy, finite, norm, weigh
from .memory import ATOL, YDOT, Y

OK, MORE, DONE = int(Status.OK), int(Status.MORE), int(Status.DONE)
NOT_FINITE, STEP_TOO_SMALL = int(Status.NOT_FINITE), int(Status.STEP_TOO_SMALL)
TOO_MUCH_ACCURACY = int(Status.TOO_MUCH_ACCURACY)
MOVED = int(Status.MOVED)
USER_CODE, INTERRUPTED = int(Status.USER_CODE), int(Status.INTERRUPTED)
EPS = 2.0**-52


@inline
def counted(memory, report):
    """One more evaluation, unless the run is to end here."""
    if report.stop != 0:
        return False
    memory.evaluations += 1
    clear_fault(report)
    return True


@inline
def judged(work, status, t, y):
    """The status of an evaluation. User code without a value is the cause, whatever else came of
    it; failures are remembered.
    """
    if work.report[0].fault != NO_FAULT:
        status = USER_CODE
    if status != OK:
        record_failure(work, t, y)
    return status


@inline
def evaluate(tables, work, rhs, memory, t, y, ydot):
    """ydot = f(t, y), counted and checked."""
    if not counted(memory, work.report[0]):
        return INTERRUPTED
    status = rhs(tables, work, t, y, ydot)
    return judged(work, NOT_FINITE if status == OK and not finite(ydot) else status, t, y)


@inline
def settle_finite(tables, work, project, memory, t, y):
    """Bring the new state y back onto the constraints, in place, unless a driver has jumped on the
    way.

    User code of loads does not matter here, that of drivers does.
    """
    if not finite(y):
        return NOT_FINITE
    clear_fault(work.report[0])
    status = driver_is_continuous(tables, work, memory.t, t)
    if status == OK:
        status = project(tables, work, t, y)
    if status == OK and not finite(y):
        status = NOT_FINITE
    if status != OK and work.report[0].fault != NO_FAULT:
        status = USER_CODE
        record_failure(work, t, y)
    return branch_status(work.report[0], memory) if status == OK else status


@inline
def inside_wanted(run, t):
    """Whether states inside a step that ends at t will be asked for."""
    memory, times, probe = run.memory[0], run.samples_t, run.control[0].probe
    if len(run.nodes) > 0 or (probe > 0.0 and t - memory.t > probe):
        return True
    return memory.sample < len(times) and times[memory.sample] <= t


@inline
def ended(run):
    """Whether the stretch is done; at a stop inside it, the next one becomes the end of the coming
    steps.
    """
    control, memory = run.control[0], run.memory[0]
    while memory.t >= control.t_end and memory.stop < len(run.stops):
        control.t_end = run.stops[memory.stop]
        memory.stop += 1
    return memory.t >= control.t_end


@inline
def allowed(report):
    """What the plant allows, as a power of two: a limit that moves a little with every step would
    cost multistep methods.
    """
    return (
        2.0 ** math.floor(math.log2(report.longest))
        if 0.0 < report.longest < math.inf
        else math.inf
    )


@inline
def limited(memory, control):
    """The step to try: at most h_max and what the plant allows, ending on t_end, in two equal
    halves where a sliver would be left over.
    """
    left = control.t_end - memory.t
    h = min(memory.h, control.h_max, memory.longest)
    if h >= left * (1.0 - 1e-12):
        return left
    return min(h, 0.5 * left)


@inline
def reach(memory, h, control):
    """Time at the end of the step; exactly t_end for the last one."""
    return control.t_end if h >= control.t_end - memory.t else memory.t + (h - memory.t_carry)


@inline
def arrive(memory, t, h, order, error):
    """The step is accepted; what rounding added to the time is taken off the next one."""
    memory.t_carry = (t - memory.t) - (h - memory.t_carry)
    memory.t_before, memory.stale = memory.t, 0
    memory.t, memory.h_used, memory.order_used, memory.error, memory.shortest = (
        t,
        h,
        order,
        error,
        h,
    )


@inline
def too_small(h, t, control):
    """Below the spacing of numbers around t (or not a number at all)."""
    return not h >= max(4.0 * EPS * abs(t), control.h_min)


@inline
def why_too_small(status, report, y, weight):
    """The cause of a collapsed step: a failing evaluation, a change point, a tolerance within
    rounding, or stiffness.
    """
    if status != OK and status != MOVED:
        return status
    if near_change_point(report):
        return CHANGE_POINT
    return TOO_MUCH_ACCURACY if 4.0 * EPS * norm(y, weight) > 1.0 else STEP_TOO_SMALL


@inline
def begin(tables, work, rhs, run):
    """First derivative, and the samples that lie at the start."""
    control, memory = run.control[0], run.memory[0]
    y = run.vectors[Y]
    memory.t = control.t_start
    status = evaluate(tables, work, rhs, memory, memory.t, y, run.vectors[YDOT])
    memory.started, memory.margin, memory.longest = (
        status == OK,
        work.report[0].pivot_margin,
        allowed(work.report[0]),
    )
    while memory.sample < len(run.samples_t) and run.samples_t[memory.sample] <= memory.t:
        copy(y, run.samples_y[memory.sample])
        memory.sample += 1
    return status


@inline
def first_step(tables, work, rhs, run, order, weight, trial, slope):
    """First step size from the sizes of y, f and df/dt [Hairer1993, sec. II.4], with a bound that
    grows with the order.

        h0 = |y| / 100 |f|,      h = (1 / 100 max(|f|, |f(y + h0 f) - f| / h0))^(1 / (order + 1)) <=
                                 100 order h0

    in units of `second`, the time by which rates are counted, so that a machine has the same first
    step in any unit of time.
    It is never so short that the numbers around t could not tell its time: far from t = 0 the error
    test judges a longer one.
    """
    control, memory = run.control[0], run.memory[0]
    y, ydot = run.vectors[Y], run.vectors[YDOT]
    if control.h_initial > 0.0:
        return control.h_initial
    weigh(control, run.vectors[ATOL], y, weight)
    tiny, told_apart = 1e-6 * (control.t_end - memory.t), 64.0 * EPS * abs(memory.t)
    second = control.second
    size, speed = norm(y, weight), norm(ydot, weight) * second
    h0 = min(
        0.01 * size / speed * second if size > 1e-5 and speed > 1e-5 else tiny,
        control.h_max,
        control.t_end - memory.t,
    )
    for i in range(len(y)):
        trial[i] = y[i] + h0 * ydot[i]
    if evaluate(tables, work, rhs, memory, memory.t + h0, trial, slope) != OK:
        return 0.01 * h0
    for i in range(len(y)):
        slope[i] -= ydot[i]
    steepest = max(speed, norm(slope, weight) * second * second / h0)
    if steepest < 1e-15:
        return max(tiny, 1e-3 * h0, told_apart)
    return max(
        min(100.0 * order * h0, (0.01 / steepest) ** (1.0 / (order + 1)) * second), told_apart
    )


@inline
def record(work, run):
    """Log the accepted step together with what the formulation reports about the new state."""
    memory, report, row = run.memory[0], work.report[0], run.log[run.memory[0].row]
    row.t, row.h, row.order, row.error = memory.t, memory.h_used, memory.order_used, memory.error
    row.rejected = memory.rejected - memory.rejected_logged
    row.evaluations = memory.evaluations - memory.evaluations_logged
    row.position_error, row.velocity_error = report.position_error, report.velocity_error
    row.iterations, row.factorisations = report.iterations, report.factorisations
    row.partitions, row.decompositions = report.partitions, report.decompositions
    row.jacobians, row.method, row.stiffness, row.threshold = (
        memory.jacobians,
        memory.method,
        memory.L,
        memory.threshold,
    )
    row.steps, row.shortest, row.longest = 1, memory.shortest, memory.h_used
    memory.rejected_logged, memory.evaluations_logged = memory.rejected, memory.evaluations
    memory.margin, memory.longest = report.pivot_margin, allowed(report)
    memory.row += 1
    memory.accepted += 1
