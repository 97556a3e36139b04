"""The one time loop: steps of whatever method, the samples and nodes inside each of them, and the
log.

A method is three kernels, called by address, so that this loop is compiled once for all of them:

    start(tables, work, rhs, settle, run) -> Status     the first derivative, and whatever the first
                                                        step needs
    step(tables, work, rhs, settle, run)  -> Status     one accepted step, or the cause why there is
                                          none
    dense(run, t, out)                                  state at a time t inside the last step,
                                                        which changes nothing

Nodes are states inside every step at Chebyshev points and at its end, kept where events are watched
(`nodes.py`).
"""

import numpy as np

from ...kernel.decorators import inline, kernel
from ...kernel.mathematics import cos, each
from .error_norm import copy, finite, mark_passive
from .memory import YDOT, Y
from .probing import keep_start, probed
from .stepping import DONE, MORE, OK, ended, record

INSIDE = 7  # nodes inside a step
NODES = 0.5 - 0.5 * each(cos, np.pi * np.arange(INSIDE + 2) / (INSIDE + 1))  # both ends included


@inline
def fill_samples(dense, run):
    """The samples passed by the last step."""
    memory, times = run.memory[0], run.samples_t
    while memory.sample < len(times) and times[memory.sample] <= memory.t:
        dense(run, times[memory.sample], run.samples_y[memory.sample])
        memory.sample += 1


@inline
def fill_nodes(dense, run):
    """The nodes of the last step, where they are asked for."""
    memory = run.memory[0]
    if memory.row >= len(run.nodes):
        return
    for j in range(INSIDE):
        t = memory.t_before + NODES[j + 1] * (memory.t - memory.t_before)
        dense(run, t, run.nodes[memory.row, j])
    copy(run.vectors[Y], run.nodes[memory.row, INSIDE])


@inline
def slope_at_end(tables, work, rhs, run):
    """The derivative that belongs to the last state, where no step needed it."""
    memory, vectors, slope = run.memory[0], run.vectors, run.vectors[run.memory[0].stale]
    if rhs(tables, work, memory.t, vectors[Y], slope) == OK and finite(slope):
        copy(slope, vectors[YDOT])


@kernel
def advance(tables, work, start, step, dense, rhs, project, run):
    """The loop over accepted steps."""
    memory = run.memory[0]
    status = OK if memory.started else start(tables, work, rhs, project, run)
    mark_passive(tables, work, run)
    while status == OK:
        if ended(run):
            if memory.stale > 0:
                slope_at_end(tables, work, rhs, run)
            return DONE
        if memory.row == len(run.log):
            return MORE
        keep_start(run)
        status = step(tables, work, rhs, project, run)
        if status == OK:
            fill_nodes(dense, run)
            record(work, run)
            mark_passive(tables, work, run)
            status = probed(tables, work, rhs, dense, run)
        if status == OK:
            fill_samples(dense, run)
    return status
