"""Newton's method of a step by articulated bodies (articulated_step.py): derivatives and contraction.

The matrix is that of the iterate, whatever c is, so there are no factors to renew and the observed
contraction serves for the next steps too: most steps need one correction. The derivatives of the
elements are renewed when they are old, or when the contraction is no longer small.
"""

from ....kernel.algebra.blas1 import copy
from ....kernel.algebra.convergence import FORGET
from ....kernel.decorators import inline
from ..memory import BODIES
from ..methods.adams_formulas import NEXT
from ..methods.bdf_formulas import PREDICTED
from ..stepping import OK
from .full_jacobian import ANY_RATE
from .iteration import (
    FIRST,
    LONGEST_USE,
    NO_JACOBIAN,
    call_structure,
    expected_rate,
    iterate,
    keep_rate,
)
from .structure import LINEARIZE
from .symmetric_step import is_symmetric

QUICK, AGED = 0.1, 10  # contraction from which the derivatives are renewed, after so many steps
SLOW = 0.35  # contraction from which a step counts as slow (memory.SLOW_STEPS)
# the same for the symmetric matrix, and the number of slow steps after which it is given up
SLOW_SYMMETRIC, SLOW_SYMMETRIC_STEPS = 0.04, 3


@inline
def derivatives_are_old(memory):
    """Whether to renew the derivatives of the elements before the step."""
    if memory.jacobian_age > LONGEST_USE:
        return True
    return memory.rate > QUICK and memory.jacobian_age > AGED


@inline
def count_slow_step(memory, slow):
    """Count steps that converge slowly, less those that do not."""
    memory.slow_steps += 1 if slow else -1 if memory.slow_steps > 0 else 0


@inline
def judge_convergence(run, converged, expected):
    """Count the step as slow or not, and change from the symmetric matrix to the whole one.

    The contraction in memory is the observed one if it is larger than a part of the expected one.
    """
    memory, symmetric = run.memory[0], is_symmetric(run)
    observed = memory.rate > 1.01 * FORGET * expected and memory.rate != expected
    limit = SLOW_SYMMETRIC if symmetric else SLOW
    count_slow_step(memory, not converged or (observed and memory.rate > limit))
    if symmetric and memory.slow_steps >= SLOW_SYMMETRIC_STEPS:
        memory.whole_matrix, memory.slow_steps, memory.c = 1, 0, 0.0


@inline
def judge_bodies(run, converged, observed):
    """Count slow steps of a matrix over the bodies with new derivatives, and renew old ones."""
    memory = run.memory[0]
    if run.control[0].newton != BODIES:
        return
    slow = not converged or (observed and memory.rate > SLOW)
    if memory.jacobian_age == 0 or not slow:
        count_slow_step(memory, slow)
    elif memory.jacobian_age > AGED:
        memory.jacobian_age = NO_JACOBIAN


@inline
def solve_articulated(tables, work, rhs, run, t, c):
    """(status, converged) of a step: with the last derivatives, then with new ones."""
    control, memory = run.control[0], run.memory[0]
    renew, status, converged, expected = derivatives_are_old(memory), OK, False, FIRST
    for _ in range(2):
        if renew:
            copy(run.vectors[PREDICTED], run.vectors[NEXT])
            status = call_structure(control.structure, tables, work, LINEARIZE, run, t)
        if status != OK:
            break
        expected = expected_rate(memory, c)
        memory.rate, memory.c = expected, c
        status, converged = iterate(tables, work, rhs, run, t, c)
        if converged or renew:
            break
        memory.rate, renew = ANY_RATE, True
    judge_convergence(run, converged, expected)
    keep_rate(memory, converged, memory.rate != expected)
    return status, converged
