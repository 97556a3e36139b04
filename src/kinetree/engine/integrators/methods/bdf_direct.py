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
from ..memory import ARTICULATED, BODIES, OF_ALL
from ..newton.articulated_iteration import judge_bodies
from ..newton.direct_steps import iterate, prepare
from ..newton.full_jacobian import ANY_RATE
from ..newton.iteration import (
    ALL_DERIVATIVES,
    LAST_FACTORS,
    expected_rate,
    first_attempt,
    keep_rate,
)
from ..newton.load_derivatives import loads_suffice
from ..newton.matrix import factorize_structure, groups
from ..newton.multipliers import forget, keep
from ..stepping import NOT_FINITE, OK
from . import bdf
from .bdf_formulas import ALPHA, PREDICTED

# contraction that no step of a model without loops is trusted to fall below unseen: corrections are
# cheap there
WITHOUT_ROWS = 0.05
# contraction with which the last factors serve once more, although M and G are those of an earlier
# step; with worse ones the iteration would leave more of the positions than the error of a step
QUICK = 0.03


@inline
def solve_constrained(tables, work, rhs, run, t, h, k):
    """(status, converged) of a step.

    With the last factors, new ones, new derivatives of the loads, or all derivatives. The observed
    contraction is kept for new factors, so that most steps need one correction.
    """
    memory, cost = run.memory[0], 2 * groups(run.lists)[0].shape[0]
    c, converged, observed = h / ALPHA[k], False, False
    status = OK if all_finite(run.vectors[PREDICTED]) else NOT_FINITE
    least = bdf.LEAST_RATE if work.report[0].rank > 0 else WITHOUT_ROWS
    first = first_attempt(memory, c, cost, QUICK)
    for attempt in range(first, ALL_DERIVATIVES + 1 if status == OK else 0):
        if attempt == ALL_DERIVATIVES:
            memory.derivatives = OF_ALL
        status = prepare(tables, work, run, t, c, attempt)
        expected = max(least, expected_rate(memory, c)) if attempt == first else ANY_RATE
        if status != OK or (attempt > LAST_FACTORS and not factorize_structure(work, run, c)):
            break
        memory.rate = expected
        status, converged = iterate(tables, work, rhs, run, t, c)
        observed = memory.rate != expected
        fresh = attempt > LAST_FACTORS and memory.jacobian_age == 0
        if converged or (fresh and not loads_suffice(run)):
            break
    judge_bodies(run, converged, observed)
    keep_rate(memory, converged, observed)
    bdf.want_all_derivatives(run, observed)
    return status, converged


@inline
def solve(tables, work, rhs, run, t, h, k):
    """(status, converged) of a step; an open tree without constraints has the equations of bdf.py."""
    newton = run.control[0].newton
    if newton == ARTICULATED or (newton == BODIES and work.g.shape[0] == 0):
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
