"""The time loop: steps of any method, the samples and interpolation points in them, and the log.

A method is three kernels, called by address, so that this loop is compiled once for all methods:

    start(tables, work, rhs, project, run) -> Status    evaluates the first derivative and prepares
                                                        the first step
    step(tables, work, rhs, project, run)  -> Status    takes one accepted step, or returns the
                                                        cause of the failure
    dense(run, t, out)                                  interpolates the state at a time t inside
                                                        the last step; changes nothing else

Interpolation points are the Chebyshev points of a step and its end. The states there are stored
where a run has events (segments.py).
"""

from ...kernel.algebra.blas1 import copy
from ...kernel.algebra.convergence import all_finite
from ...kernel.decorators import inline, kernel
from ..contacts.guards import contact_event
from .error_norm import mark_passive
from .memory import SLOW_STEPS, YDOT, Y
from .nodes import INNER_POINTS, POINTS
from .probing import probe_step, save_start
from .stepping import DONE, MORE, OK, record, segment_done


@inline
def fill_samples(dense, run):
    """Interpolate the samples inside the last step."""
    memory, times = run.memory[0], run.samples_t
    while memory.sample < len(times) and times[memory.sample] <= memory.t:
        dense(run, times[memory.sample], run.samples_y[memory.sample])
        memory.sample += 1


@inline
def fill_points(dense, run):
    """Interpolate the last step at its interpolation points, where the run has events."""
    memory = run.memory[0]
    if memory.row >= len(run.points):
        return
    for j in range(INNER_POINTS):
        t = memory.t_before + POINTS[j + 1] * (memory.t - memory.t_before)
        dense(run, t, run.points[memory.row, j])
    copy(run.vectors[Y], run.points[memory.row, INNER_POINTS])


@inline
def slope_at_end(tables, work, rhs, run):
    """Evaluate the derivative at the last state, where the last step did not need it."""
    memory, vectors = run.memory[0], run.vectors
    slope = vectors[memory.slope_row]
    if rhs(tables, work, memory.t, vectors[Y], slope) == OK and all_finite(slope):
        copy(slope, vectors[YDOT])


@kernel
def advance(tables, work, start, step, dense, rhs, project, run):
    """Take accepted steps until the segment ends (DONE), the log is full (MORE), or a failure.

    CONTACT where a step was shortened to the event of a contact.
    MORE also where another matrix of the steps is wanted (`slow_steps`).
    """
    memory = run.memory[0]
    status = OK if memory.started else start(tables, work, rhs, project, run)
    mark_passive(tables, work, run)
    while status == OK:
        if segment_done(run):
            if memory.slope_row > 0:
                slope_at_end(tables, work, rhs, run)
            return DONE
        if memory.row == len(run.log) or memory.slow_steps >= SLOW_STEPS:
            return MORE
        save_start(run)
        status = step(tables, work, rhs, project, run)
        if status == OK:
            fill_points(dense, run)
            record(work, run)
            mark_passive(tables, work, run)
            status = probe_step(tables, work, rhs, dense, run)
        if status == OK and tables.places.shape[0] > 0:
            status = contact_event(tables, work, dense, run)
        if status == OK:
            fill_samples(dense, run)
    return status
