"""What the fixed-step methods share: where the steps end, and how a new state becomes the present.

Step i of a stretch ends at t_start + i h, without summing up rounding errors; the last one ends exactly on t_end and is
shorter if h does not divide the stretch. A fixed step has no other length to fall back on: any failure ends the run.
"""

from ..dynamics.branches import on_branch
from ..num.jit import inline
from .dense import sample_cubic
from .memory import YDOT, Y
from .stepping import OK, copy, evaluate, record, settle_finite


@inline
def taken(memory):
    """Steps of this stretch so far."""
    return memory.accepted - memory.first


@inline
def length(memory, control):
    """Length of the coming step."""
    return control.h_last if taken(memory) + 1 == control.steps else control.h_fixed


@inline
def target(memory, control):
    """Time at the end of the coming step."""
    i = taken(memory) + 1
    return control.t_end if i == control.steps else control.t_start + i * control.h_fixed


@inline
def conclude(rhs, settle, tables, work, run, order, y_end, f_end):
    """Settle the new state, evaluate there, fill the samples, make it the present and log it."""
    control, memory = run.control[0], run.memory[0]
    h, t = length(memory, control), target(memory, control)
    status = settle_finite(settle, tables, work, memory, t, y_end)
    if status == OK:
        status = evaluate(rhs, tables, work, memory, t, y_end, f_end)
    if status == OK:
        status = on_branch(work.report[0], memory)
    if status == OK:
        sample_cubic(run, t, h, y_end, f_end)
        copy(y_end, run.vectors[Y])
        copy(f_end, run.vectors[YDOT])
        memory.t, memory.h_used, memory.order_used = t, h, order
        record(run, work)
    return status
