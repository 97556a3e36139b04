"""Adams where the machine is not stiff, backward differentiation where it is: the switching method
SM.  [Han1994, sec. 4.5]

    L < L_crit  =>  Adams (PECE),        L >= L_crit  =>  BDF,        back to Adams below 0.7 L_crit

with L = rho(f_y) watched as it goes (`lipschitz.py`) and L_crit = 1500 1/s, the limit of the paper,
as long as costs do
not say otherwise (`switching_rule.py`).

A change that turns out dearer is taken back, and not tried again until L is half as large again (or
smaller by as much); with time that is forgotten. L_crit moves to where a change has paid. The past
is handed over (`handover.py`), so that neither method starts anew at order one.

With `linearize_every` the method is that of the paper, step by step: L is that of the whole
Jacobian at fixed intervals and held in between, there is no hysteresis, and costs have no part in
it. A linearization costs an evaluation per state.
"""

import math

from ....kernel.decorators import inline, internal_kernel, kernel
from ..error_norm import copy, weigh
from ..memory import ADAMS, ATOL, BDF, FULL, Y
from ..newton.full_jacobian import difference_jacobian
from ..stepping import OK, limited
from . import adams, bdf
from .adams_formulas import NEXT, WEIGHT
from .lipschitz import FREE, look, look_anywhere, look_at_jacobian
from .switching_rule import AGAIN, WATCH, measured_rate, open_window, wants_adams, wants_bdf
from .switching_transfer import STABLE, to_adams, to_bdf

# evaluations between looks at the whole Jacobian, per evaluation that this costs, where it seems
# worth while
WHOLE = 10
# order of Adams up to which it may be held back by a stiffness not yet seen; smooth motion has 8
# and more
LOW = 5
SETTLING, WINDOW = (
    10,
    20,
)  # steps after a change that do not count, and those over which its cost is measured
FADE = 0.95  # what was learned from a change that was taken back, from one look to the next


@inline
def enter(method, run, here):
    """Note the change of method, and what the old one cost."""
    memory = run.memory[0]
    memory.method, memory.steps_here, memory.other_rate = method, 0, here
    open_window(run)


@internal_kernel
def enter_adams(tables, work, rhs, run, here):
    """Hand over to Adams, if the slope at the present state can be had."""
    memory, vectors = run.memory[0], run.vectors
    if bdf.renew_slope(tables, work, rhs, memory, vectors):
        to_adams(memory, run.coefficients, vectors)
        enter(ADAMS, run, here)


@internal_kernel
def enter_bdf(run, here):
    to_bdf(run.memory[0], run.coefficients, run.vectors)
    enter(BDF, run, here)


@internal_kernel
def look_at_whole(tables, work, rhs, run):
    """L of the whole Jacobian at the present state."""
    memory, vectors = run.memory[0], run.vectors
    copy(vectors[Y], vectors[NEXT])
    if run.control[0].newton != FULL:
        look_anywhere(tables, work, rhs, run)
    elif (
        difference_jacobian(
            tables, work, rhs, memory, memory.t, memory.h, vectors[NEXT], vectors[WEIGHT], vectors
        )
        == OK
    ):
        look_at_jacobian(run)
    memory.looked = memory.evaluations


@inline
def look_from_adams(tables, work, rhs, run):
    """L along the direction followed; from the whole Jacobian where short steps of low order are
    not explained by it.
    """
    memory = run.memory[0]
    price = run.control[0].per_jacobian + 1 if run.control[0].newton == FULL else 2 * FREE
    rested = memory.evaluations - memory.looked >= WHOLE * price
    if rested and memory.order_used <= LOW and memory.L * memory.h_used < STABLE:
        look_at_whole(tables, work, rhs, run)
    else:
        look(tables, work, rhs, run)


@inline
def watch_adams(tables, work, rhs, run):
    """Every so many steps: look at L, judge the last change, and decide."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    if memory.steps_here % WATCH != 0:
        return
    look_from_adams(tables, work, rhs, run)
    memory.not_bdf *= FADE
    here = measured_rate(run)
    if memory.steps_here == WATCH and control.calibrate != 0 and 0.0 < memory.other_rate < here:
        memory.not_adams, memory.not_bdf = memory.L, 0.0
        enter_bdf(run, here)
    elif wants_bdf(memory, control, vectors, here):
        memory.not_adams = math.inf
        enter_bdf(run, here)
    else:
        open_window(run)


@inline
def look_from_bdf(tables, work, rhs, run):
    """L from a new Jacobian; where the Jacobian is old, from three evaluations now and then."""
    memory, vectors = run.memory[0], run.vectors
    full = run.control[0].newton == FULL
    if memory.age == 1 and full:
        look_at_jacobian(run)
    elif (memory.age > WINDOW or not full) and memory.steps_here % (2 * WINDOW) == 0:
        if bdf.renew_slope(tables, work, rhs, memory, vectors):
            look(tables, work, rhs, run)


@inline
def watch_bdf(tables, work, rhs, run):
    """Look at L. After a change, and then every so many steps: measure the cost, and decide."""
    control, memory = run.control[0], run.memory[0]
    look_from_bdf(tables, work, rhs, run)
    if memory.steps_here == SETTLING:
        open_window(run)
    if memory.steps_here < SETTLING + WINDOW or (memory.steps_here - SETTLING) % WINDOW != 0:
        return
    memory.not_adams /= FADE
    here = measured_rate(run)
    if memory.steps_here == SETTLING + WINDOW and control.calibrate != 0:
        if here > memory.other_rate:
            memory.not_bdf, memory.threshold = memory.L, max(memory.threshold, AGAIN * memory.L)
            enter_adams(tables, work, rhs, run, 0.0)
            return
        memory.threshold = min(memory.threshold, memory.L)
    if wants_adams(memory, control, here):
        memory.not_bdf = 0.0
        enter_adams(tables, work, rhs, run, here)
    else:
        open_window(run)


@inline
def interval_number(run, t):
    """Number of intervals between linearizations that have passed at time t; a time short of an end
    by rounding is one.
    """
    return math.floor(t / run.control[0].linearize_every + 1e-9)


@internal_kernel
def watch_printed(tables, work, rhs, run):
    """At the first step end in each interval: L of the whole Jacobian, and the rule  L < L_crit:
    Adams, else BDF.
    """
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    if interval_number(run, memory.t) == interval_number(run, memory.window_t):
        return
    open_window(run)
    if memory.method == BDF and not bdf.renew_slope(tables, work, rhs, memory, vectors):
        return
    look_at_whole(tables, work, rhs, run)
    if memory.method == ADAMS and memory.L >= control.threshold:
        enter_bdf(run, 0.0)
    elif memory.method == BDF and memory.L < control.threshold:
        enter_adams(tables, work, rhs, run, 0.0)


@inline
def start_anew(status, run):
    """After a break: the past is forgotten, what was learned about costs is kept."""
    memory = run.memory[0]
    if status == OK and memory.method == BDF:
        memory.h = limited(memory, run.control[0])
        bdf.forget(memory, memory.h, run.vectors)
        memory.age, memory.steps_here = bdf.NO_JACOBIAN, SETTLING + WINDOW + 1
    else:
        memory.steps_here, memory.other_rate = 0, 0.0
    open_window(run)
    return status


@kernel
def start(tables, work, rhs, project, run):
    """Begin with Adams, and with a first look at L; after a break with the method in use."""
    control, memory = run.control[0], run.memory[0]
    status = adams.start(tables, work, rhs, project, run)
    if memory.accepted > 0:
        return start_anew(status, run)
    memory.threshold, memory.not_adams = control.threshold, math.inf
    if status == OK:
        weigh(control, run.vectors[ATOL], run.vectors[Y], run.vectors[WEIGHT])
        look_at_whole(tables, work, rhs, run)
        open_window(run)
    return status


@kernel
def step(tables, work, rhs, project, run):
    """Judge the method in use, unless a stop was reached, and take a step with it or with the other
    one.
    """
    control, memory = run.control[0], run.memory[0]
    if memory.due:
        memory.due = 0
        if control.linearize_every > 0.0:
            watch_printed(tables, work, rhs, run)
        elif memory.method == ADAMS:
            watch_adams(tables, work, rhs, run)
        else:
            watch_bdf(tables, work, rhs, run)
    if memory.method == ADAMS:
        status = adams.step(tables, work, rhs, project, run)
        memory.age += 1
    else:
        status = bdf.step(tables, work, rhs, project, run)
    if status == OK:
        memory.steps_here += 1
        memory.due = memory.t < control.t_end
    return status


@kernel
def dense(run, t, out):
    """State at a time t inside the last step, by the method that took it."""
    if run.memory[0].method == ADAMS:
        return adams.dense(run, t, out)
    return bdf.dense(run, t, out)
