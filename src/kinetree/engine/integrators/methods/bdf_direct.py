"""Backward differentiation of the constrained equations themselves, without solving them for the
accelerations first.

The first of the four ways that [Han1994] names. Unknown at the end of a step are positions,
velocities and multipliers; both
g = 0 and its rate are kept (stabilised index 2, [Gear1985]), so that positions, velocities and
multipliers all converge
with the order of the formula. Steps, orders and errors are those of `bdf.py`, the nonlinear
equations those of `direct_newton.py`: their matrix is as sparse as the machine, where the Jacobian
of the reduced system is full. The formulation gives the first slope, settles the last digits of a
new state, and completes the samples.
"""

from ....kernel.algebra.blas1 import copy
from ....kernel.decorators import inline, kernel
from ..error_norm import finite
from ..newton.direct_steps import iterate, prepare
from ..newton.matrix import KEPT, factorise_structure, groups
from ..stepping import NOT_FINITE, OK
from . import bdf
from .bdf_formulas import ALPHA, PREDICTED

LAST, NEW, DERIVATIVES = range(3)  # attempts at a step
QUICK = (
    0.05  # rate of the iteration at which factors serve once more: with M and G of a step before
)
SAME = 1e-12  # relative difference of c below which they may


@inline
def solve(tables, work, rhs, run, t, h, k):
    """(status, converged) of the step: with the last factors where they served well, with new ones,
    with new derivatives.
    """
    memory, cost = run.memory[0], 2 * groups(run.lists)[0].shape[0]
    c, status, converged = h / ALPHA[k], OK if finite(run.vectors[PREDICTED]) else NOT_FINITE, False
    first = LAST if abs(memory.c - c) <= SAME * c and memory.rate <= QUICK else NEW
    first = DERIVATIVES if memory.age > max(bdf.LONGEST_USE, 2 * cost) else first
    for attempt in range(first, DERIVATIVES + 1 if status == OK else 0):
        status = prepare(tables, work, run, t, c, attempt == DERIVATIVES)
        if status != OK or (attempt > LAST and not factorise_structure(work, run, c)):
            break
        status, converged = iterate(tables, work, run, t, c)
        if converged or (attempt > LAST and memory.age == 0):
            break
    return status, converged


@kernel
def step(tables, work, rhs, project, run):
    return bdf.take_step(tables, work, solve, rhs, project, run)


@kernel
def start(tables, work, rhs, project, run):
    """Order one and a small first step, with the multipliers of the start."""
    status = bdf.start(tables, work, rhs, project, run)
    copy(work.lam, run.unknowns[KEPT][: work.lam.shape[0]])
    return status
