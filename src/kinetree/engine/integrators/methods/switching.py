"""Switching method: Adams where the model is not stiff, BDF where it is [Han1994, sec. 4.5].

    L < L_crit  =>  Adams (PECE),        L >= L_crit  =>  BDF,        back to Adams below 0.7 L_crit

L = rho(f_y) is estimated during the run (lipschitz.py). L_crit = 1500 1/s is the limit of the
paper; measured costs may overrule it (switching_rule.py).

A change that turns out to be more expensive is reversed, and not tried again until L is half as
large again (or smaller by as much); this record fades with time. L_crit moves to the L at which a
change has paid. The past is transferred (switching_transfer.py), so that neither method restarts at
order one.

With `linearize_every` the method is exactly that of the paper: L is that of the whole Jacobian at
fixed intervals and constant in between, without hysteresis and without costs. A linearization costs
one evaluation per state.
"""

import math

from ....kernel.algebra.blas1 import copy
from ....kernel.decorators import inline, internal_kernel, kernel
from ..error_norm import weigh
from ..memory import ADAMS, ATOL, BDF, FULL, Y
from ..newton.full_jacobian import difference_jacobian
from ..stepping import OK, limited
from . import adams, bdf
from .adams_formulas import NEXT, WEIGHT
from .lipschitz import FREE, estimate_L, estimate_L_anew, estimate_L_of_jacobian
from .switching_rule import AGAIN, EDGE, WATCH, measured_cost, open_window, wants_adams, wants_bdf
from .switching_transfer import STABLE, to_adams, to_bdf

# evaluations between estimates with the whole Jacobian, per evaluation that it costs
WHOLE = 10
# order of Adams up to which an undetected stiffness may limit it; smooth motion has 8 and more
LOW = 5
# steps after a change that do not count, and steps over which its cost is measured
SETTLING, WINDOW = 10, 20
# margin of the constraints below which the model is near a singular position: L is large there for
# a moment only
NEAR_FOLD = 1e-2
FADE = 0.95  # factor of the record of a reversed change, from one estimate to the next


@inline
def enter(method, run, here):
    """Record the change of method, and the cost of the old one."""
    memory = run.memory[0]
    memory.method, memory.steps_in_method, memory.other_cost = method, 0, here
    open_window(run)


@internal_kernel
def enter_adams(tables, work, rhs, run, here):
    """Change to Adams, if the slope at the present state can be evaluated."""
    memory, vectors = run.memory[0], run.vectors
    if bdf.renew_slope(tables, work, rhs, memory, vectors):
        to_adams(memory, run.coefficients, vectors)
        enter(ADAMS, run, here)


@internal_kernel
def enter_bdf(run, here):
    """Change to BDF."""
    to_bdf(run.memory[0], run.coefficients, run.vectors)
    enter(BDF, run, here)


@internal_kernel
def estimate_L_fully(tables, work, rhs, run):
    """Estimate L of the whole Jacobian at the present state."""
    memory, vectors = run.memory[0], run.vectors
    copy(vectors[Y], vectors[NEXT])
    if run.control[0].newton != FULL:
        estimate_L_anew(tables, work, rhs, run)
    elif (
        difference_jacobian(
            tables, work, rhs, memory, memory.t, memory.h, vectors[NEXT], vectors[WEIGHT], vectors
        )
        == OK
    ):
        estimate_L_of_jacobian(run)
    memory.L_evaluations = memory.evaluations


@inline
def estimate_L_in_adams(tables, work, rhs, run):
    """Estimate L along the followed direction.

    From the whole Jacobian where this L does not explain short steps of low order.
    """
    memory = run.memory[0]
    price = run.control[0].per_jacobian + 1 if run.control[0].newton == FULL else 2 * FREE
    rested = memory.evaluations - memory.L_evaluations >= WHOLE * price
    if rested and memory.order_used <= LOW and memory.L * memory.h_used < STABLE:
        estimate_L_fully(tables, work, rhs, run)
    else:
        estimate_L(tables, work, rhs, run)


@inline
def judge_adams(tables, work, rhs, run):
    """Every WATCH steps: estimate L, compare the costs of the last change, and decide."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    if memory.steps_in_method % WATCH != 0:
        return
    estimate_L_in_adams(tables, work, rhs, run)
    memory.bdf_failed_L *= FADE
    here = measured_cost(run)
    if (
        memory.steps_in_method == WATCH
        and control.calibrate != 0
        and 0.0 < memory.other_cost < here
    ):
        memory.adams_failed_L, memory.bdf_failed_L = memory.L, 0.0
        enter_bdf(run, here)
    elif wants_bdf(memory, control, vectors, here):
        memory.adams_failed_L = math.inf
        enter_bdf(run, here)
    else:
        open_window(run)


@inline
def estimate_L_in_bdf(tables, work, rhs, run):
    """Estimate L from a new Jacobian; with an old one, by three evaluations now and then."""
    memory, vectors = run.memory[0], run.vectors
    full = run.control[0].newton == FULL
    if memory.jacobian_age == 1 and full:
        estimate_L_of_jacobian(run)
    elif (memory.jacobian_age > WINDOW or not full) and memory.steps_in_method % (2 * WINDOW) == 0:
        if bdf.renew_slope(tables, work, rhs, memory, vectors):
            estimate_L(tables, work, rhs, run)


@inline
def judge_bdf(tables, work, rhs, run):
    """Estimate L; some steps after a change, and at intervals, measure the cost and decide."""
    control, memory = run.control[0], run.memory[0]
    estimate_L_in_bdf(tables, work, rhs, run)
    if memory.steps_in_method == SETTLING:
        open_window(run)
    if (
        memory.steps_in_method < SETTLING + WINDOW
        or (memory.steps_in_method - SETTLING) % WINDOW != 0
    ):
        return
    memory.adams_failed_L /= FADE
    here = measured_cost(run)
    if memory.steps_in_method == SETTLING + WINDOW and control.calibrate != 0:
        if here > memory.other_cost:
            memory.bdf_failed_L, memory.threshold = (
                memory.L,
                max(memory.threshold, AGAIN * memory.L),
            )
            enter_adams(tables, work, rhs, run, 0.0)
            return
        memory.threshold = min(memory.threshold, memory.L)
    if wants_adams(memory, control, here):
        memory.bdf_failed_L = 0.0
        enter_adams(tables, work, rhs, run, here)
    else:
        open_window(run)


@inline
def interval_number(run, t):
    """Number of intervals between linearizations that have passed at time t.

    A time that is short of an end by rounding counts as the end.
    """
    return math.floor(t / run.control[0].linearize_every + 1e-9)


@internal_kernel
def judge_by_threshold(tables, work, rhs, run):
    """At the first step end in each interval: L of the whole Jacobian, and the plain rule.

    L < L_crit  =>  Adams,        L >= L_crit  =>  BDF
    """
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    if interval_number(run, memory.t) == interval_number(run, memory.window_t):
        return
    open_window(run)
    if memory.method == BDF and not bdf.renew_slope(tables, work, rhs, memory, vectors):
        return
    estimate_L_fully(tables, work, rhs, run)
    if memory.method == ADAMS and memory.L >= control.threshold:
        enter_bdf(run, 0.0)
    elif memory.method == BDF and memory.L < control.threshold:
        enter_adams(tables, work, rhs, run, 0.0)


@inline
def restart_method(status, run):
    """After a break: discard the past, and keep the record of the costs."""
    memory = run.memory[0]
    if status == OK and memory.method == BDF:
        memory.h = limited(memory, run.control[0])
        bdf.forget(memory, memory.h, run.vectors)
        memory.jacobian_age, memory.steps_in_method = bdf.NO_JACOBIAN, SETTLING + WINDOW + 1
    else:
        memory.steps_in_method, memory.other_cost = 0, 0.0
    open_window(run)
    return status


@inline
def start_with_bdf(run):
    """Start with BDF where stability would limit the first steps of Adams, after a few doublings.

    The cost of Adams is not known then, and is taken to be larger.
    """
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    stiff = memory.L >= memory.threshold and memory.L * memory.h > EDGE
    if not stiff or control.linearize_every > 0.0:
        return
    memory.h = limited(memory, control)
    bdf.forget(memory, memory.h, vectors)
    memory.method, memory.jacobian_age, memory.c = BDF, bdf.NO_JACOBIAN, 0.0
    memory.other_cost = math.inf


@kernel
def start(tables, work, rhs, project, run):
    """Start with a first estimate of L, and by it with Adams or BDF.

    After a break with the present method.
    """
    control, memory = run.control[0], run.memory[0]
    status = adams.start(tables, work, rhs, project, run)
    if memory.accepted > 0:
        return restart_method(status, run)
    memory.threshold, memory.adams_failed_L = control.threshold, math.inf
    if status == OK:
        weigh(control, run.vectors[ATOL], run.vectors[Y], run.vectors[WEIGHT])
        estimate_L_fully(tables, work, rhs, run)
        if work.report[0].pivot_margin > NEAR_FOLD:
            start_with_bdf(run)
        open_window(run)
    return status


@kernel
def step(tables, work, rhs, project, run):
    """Compare the methods, unless the last step ended at a stop, and take a step."""
    control, memory = run.control[0], run.memory[0]
    if memory.judge:
        memory.judge = 0
        if control.linearize_every > 0.0:
            judge_by_threshold(tables, work, rhs, run)
        elif memory.method == ADAMS:
            judge_adams(tables, work, rhs, run)
        else:
            judge_bdf(tables, work, rhs, run)
    if memory.method == ADAMS:
        status = adams.step(tables, work, rhs, project, run)
        memory.jacobian_age += 1
    else:
        status = bdf.step(tables, work, rhs, project, run)
    if status == OK:
        memory.steps_in_method += 1
        memory.judge = memory.t < control.t_end
    return status


@kernel
def dense(run, t, out):
    """Interpolate the state at a time t inside the last step, by the method that took it."""
    if run.memory[0].method == ADAMS:
        return adams.dense(run, t, out)
    return bdf.dense(run, t, out)
