"""Backward differentiation of the constrained equations, not solved for the accelerations first.

The first of the four ways in [Han1994]. The unknowns at the end of a step are positions, velocities
and multipliers. Both g = 0 and its rate are satisfied (stabilized index 2, [Gear1985]), so that all
of the unknowns converge with the order of the formula. Steps, orders and errors are those of
bdf.py, the nonlinear equations those of newton/direct_steps.py: their matrix is as sparse as the
mechanism, where the Jacobian of the reduced system is full. The formulation gives the first slope,
projects the new state (a change in the last digits), and completes the samples.
"""

from ....kernel.algebra.convergence import all_finite
from ....kernel.decorators import inline, kernel
from ..memory import ARTICULATED, OF_ALL
from ..newton.direct_steps import iterate, prepare
from ..newton.full_jacobian import ANY_RATE
from ..newton.iteration import LONGEST_USE, expected_rate, keep_rate
from ..newton.load_derivatives import loads_suffice
from ..newton.matrix import factorize_structure, groups
from ..newton.multipliers import forget, keep
from ..stepping import NOT_FINITE, OK
from . import bdf
from .bdf_formulas import ALPHA, PREDICTED

# contraction that no step of a model without loops is trusted to fall below unseen: corrections are
# cheap there
WITHOUT_ROWS = 0.05


@inline
def solve_constrained(tables, work, rhs, run, t, h, k):
    """(status, converged) of a step: with new factors, then also with new derivatives, of loads or
    of all.

    Factors are not kept over steps: the iteration with an old G leaves more of the positions than
    the error of a step. The observed contraction is kept, so that most steps need one correction.
    """
    memory, cost = run.memory[0], 2 * groups(run.lists)[0].shape[0]
    c, converged, observed = h / ALPHA[k], False, False
    status = OK if all_finite(run.vectors[PREDICTED]) else NOT_FINITE
    least = bdf.LEAST_RATE if work.report[0].rank > 0 else WITHOUT_ROWS
    renew = memory.jacobian_age > max(LONGEST_USE, 2 * cost)
    for attempt in range(3 if status == OK else 0):
        status = prepare(tables, work, run, t, c, renew)
        expected = max(least, expected_rate(memory, c)) if attempt == 0 else ANY_RATE
        if status != OK or not factorize_structure(work, run, c):
            break
        memory.rate = expected
        status, converged = iterate(tables, work, rhs, run, t, c)
        observed = memory.rate != expected
        if converged or (memory.jacobian_age == 0 and not loads_suffice(run)):
            break
        if memory.jacobian_age == 0:
            memory.derivatives = OF_ALL
        renew = True
    keep_rate(memory, converged, observed)
    bdf.want_all_derivatives(run, observed)
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
    before = work.report[0].iterations
    status = bdf.take_step(tables, work, solve, rhs, project, run)
    run.memory[0].corrections = work.report[0].iterations - before
    return status


@kernel
def start(tables, work, rhs, project, run):
    """Start with order one, a small first step, and the multipliers of the initial state."""
    status = bdf.start(tables, work, rhs, project, run)
    if run.control[0].newton != ARTICULATED:
        forget(run)
        keep(run, run.memory[0].t, work.lam)
    return status
