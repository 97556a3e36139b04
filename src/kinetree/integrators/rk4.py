"""The classical Runge-Kutta method with fixed step, order 4 [Kutta1901].

    k1 = f(t, y),  k2 = f(t + h/2, y + h/2 k1),  k3 = f(t + h/2, y + h/2 k2),  k4 = f(t + h, y + h k3)
    y <- y + h (k1 + 2 k2 + 2 k3 + k4) / 6
"""

from ..num.jit import inline, kernel
from .fixed import conclude, length, taken, target
from .memory import OWN, YDOT, Y
from .stepping import DONE, MORE, OK, begin, evaluate

K1 = YDOT
K2, K3, K4, NEXT, ROWS = range(OWN, OWN + 5)


@inline
def stage(rhs, tables, work, memory, t, h, vectors, given, wanted):
    """wanted = f(t, y + h given)."""
    for i in range(vectors.shape[1]):
        vectors[NEXT, i] = vectors[Y, i] + h * vectors[given, i]
    return evaluate(rhs, tables, work, memory, t, vectors[NEXT], vectors[wanted])


@inline
def stages(rhs, tables, work, run):
    """The three stages after k1, and the new state."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    h, t = length(memory, control), memory.t
    status = stage(rhs, tables, work, memory, t + 0.5 * h, 0.5 * h, vectors, K1, K2)
    if status == OK:
        status = stage(rhs, tables, work, memory, t + 0.5 * h, 0.5 * h, vectors, K2, K3)
    if status == OK:
        status = stage(rhs, tables, work, memory, target(memory, control), h, vectors, K3, K4)
    for i in range(vectors.shape[1]):
        slope = vectors[K1, i] + 2.0 * (vectors[K2, i] + vectors[K3, i]) + vectors[K4, i]
        vectors[NEXT, i] = vectors[Y, i] + h / 6.0 * slope
    return status


@kernel
def advance(rhs, settle, tables, work, run):
    """The loop over steps."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    status = OK if memory.started else begin(rhs, tables, work, run)
    while status == OK:
        if taken(memory) == control.steps:
            return DONE
        if memory.row == len(run.log):
            return MORE
        status = stages(rhs, tables, work, run)
        if status == OK:
            status = conclude(rhs, settle, tables, work, run, 4, vectors[NEXT], vectors[K4])
    return status
