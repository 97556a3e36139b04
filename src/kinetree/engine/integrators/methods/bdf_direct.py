"""Backward differentiation of the constrained equations, not solved for the accelerations first.

The first of the four ways in [Han1994]. The unknowns at the end of a step are positions, velocities
and multipliers. Both g = 0 and its rate are satisfied (stabilized index 2, [Gear1985]), so that all
of the unknowns converge with the order of the formula. Steps, orders and errors are those of
bdf.py, the nonlinear equations those of newton/direct_steps.py: their matrix is as sparse as the
mechanism, where the Jacobian of the reduced system is full. The formulation gives the first slope,
projects the new state (a change in the last digits), and completes the samples.
"""

from ....kernel.algebra.blas1 import copy
from ....kernel.algebra.convergence import all_finite
from ....kernel.decorators import inline, kernel
from ..memory import ARTICULATED
from ..newton.direct_steps import iterate, prepare
from ..newton.iteration import LAST_FACTORS, NEW_DERIVATIVES, first_attempt
from ..newton.matrix import KEPT, factorize_structure, groups
from ..stepping import NOT_FINITE, OK
from . import bdf
from .bdf_formulas import ALPHA, PREDICTED

# contraction with which the last factors serve once more, although M and G are those of an earlier
# step
QUICK = 0.05


@inline
def solve_constrained(tables, work, rhs, run, t, h, k):
    """(status, converged) of a step: with the last factors, new ones, or new derivatives."""
    memory, cost = run.memory[0], 2 * groups(run.lists)[0].shape[0]
    c, converged = h / ALPHA[k], False
    status = OK if all_finite(run.vectors[PREDICTED]) else NOT_FINITE
    first = first_attempt(memory, c, cost, QUICK)
    for attempt in range(first, NEW_DERIVATIVES + 1 if status == OK else 0):
        status = prepare(tables, work, run, t, c, attempt == NEW_DERIVATIVES)
        if status != OK or (attempt > LAST_FACTORS and not factorize_structure(work, run, c)):
            break
        status, converged = iterate(tables, work, rhs, run, t, c)
        if converged or (attempt > LAST_FACTORS and memory.jacobian_age == 0):
            break
    return status, converged


@inline
def solve(tables, work, rhs, run, t, h, k):
    """(status, converged) of a step; an open tree without constraints has the equations of bdf.py."""
    if run.control[0].newton == ARTICULATED:
        return bdf.solve(tables, work, rhs, run, t, h, k)
    return solve_constrained(tables, work, rhs, run, t, h, k)


@kernel
def step(tables, work, rhs, project, run):
    """One step with the constrained equations."""
    return bdf.take_step(tables, work, solve, rhs, project, run)


@kernel
def start(tables, work, rhs, project, run):
    """Start with order one, a small first step, and the multipliers of the initial state."""
    status = bdf.start(tables, work, rhs, project, run)
    copy(work.lam, run.unknowns[KEPT][: work.lam.shape[0]])
    return status
