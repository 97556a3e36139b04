"""Time stepping with rigid contact and friction, of fixed step and order 1 (engine/heaps).

Velocities jump at impacts within a step, so that nothing has to be located, and a heap of a thousand
bodies takes the same steps as one body. Forces of other elements are evaluated at the start of the
step (symplectic Euler). Positions inside a step are linear.
"""

import numpy as np

from ....kernel.algebra.blas1 import copy
from ....kernel.decorators import kernel
from ....kernel.tables.state import parts
from ...heaps.step import (
    DONE,
    ROOM,
    clear_forces,
    move,
    reset,
    solve_contacts,
    store_forces,
    sum_forces,
)
from ..memory import METHOD_ROWS, WIDTH, YDOT, Y
from ..stepping import MORE, NOT_FINITE, OK, arrive, begin, evaluate, project_state
from .fixed_steps import length, target

TRIAL, SLOPE, BEFORE, SHIFT = range(METHOD_ROWS, METHOD_ROWS + 4)
ROWS = SHIFT + 1


def coefficients(order: int) -> np.ndarray:
    """The method has no coefficients."""
    return np.zeros((0, WIDTH))


@kernel
def start(tables, work, rhs, project, run):
    """Evaluate the first derivative; at the start of a run, forget earlier contacts."""
    if run.memory[0].accepted == 0 and run.heap.shape[0] > 0:
        run.heap[0].passes = run.control[0].exact
        reset(run)
    return begin(tables, work, rhs, run)


@kernel
def step(tables, work, rhs, project, run):
    """One step."""
    control, memory, vectors, s = run.control[0], run.memory[0], run.vectors, tables.settings[0]
    h, t = length(memory, control), target(memory, control)
    y, trial, slope, shift = vectors[Y], vectors[TRIAL], vectors[SLOPE], vectors[SHIFT]
    copy(y, trial)
    x = parts(tables, trial)[2]
    if run.heap.shape[0] > 0:
        clear_forces(run, x)
    status = evaluate(tables, work, rhs, memory, memory.t, trial, slope)
    if status != OK:
        return status
    for i in range(s.nq, y.shape[0]):
        trial[i] += h * slope[i]
    q, v, x = parts(tables, trial)
    if run.heap.shape[0] > 0:
        before = run.heap[0].iterations
        found = solve_contacts(tables, work, run, parts(tables, y)[1], v, h)
        if found == ROOM:
            return MORE
        if found != DONE:
            return NOT_FINITE
        work.report[0].iterations += run.heap[0].iterations - before
        sum_forces(run, h)
        store_forces(run, x)
        if y.shape[0] > s.nq + s.nv + s.nx:
            for k in range(run.heap_sets.shape[0]):
                x[s.nx + run.heap_sets[k].force] += run.heap_sets[k].work
    move(tables, q, v, h, shift)
    status = project_state(tables, work, project, memory, t, trial)
    if status != OK:
        return status
    copy(y, vectors[BEFORE])
    copy(trial, y)
    for i in range(y.shape[0]):
        vectors[YDOT, i] = (y[i] - vectors[BEFORE, i]) / h
    arrive(memory, t, h, 1, 0.0)
    return OK


@kernel
def dense(run, t, out):
    """Interpolate the state at a time t inside the last step, linearly."""
    memory, x = run.memory[0], run.vectors
    s = min((t - memory.t_before) / memory.h_used, 1.0)
    if s > 1.0 - 1e-9:
        copy(x[Y], out)
    else:
        for i in range(len(out)):
            out[i] = x[BEFORE, i] + s * (x[Y, i] - x[BEFORE, i])
    return OK
