"""Explicit Euler with fixed step, order 1, for teaching and for tables: y <- y + h f(t, y)."""

from ..num.jit import kernel
from .fixed import conclude, length, taken
from .memory import OWN, YDOT, Y
from .stepping import DONE, MORE, OK, begin

NEXT, SLOPE, ROWS = range(OWN, OWN + 3)


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
        h = length(memory, control)
        for i in range(vectors.shape[1]):
            vectors[NEXT, i] = vectors[Y, i] + h * vectors[YDOT, i]
        status = conclude(rhs, settle, tables, work, run, 1, vectors[NEXT], vectors[SLOPE])
    return status
