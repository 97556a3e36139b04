"""Newton's method of a step by articulated bodies (articulated_step.py): derivatives and contraction.

The matrix is that of the iterate, whatever c is, so there are no factors to renew and the observed
contraction serves for the next steps too: most steps need one correction. The derivatives of the
elements are renewed when they are old, or when the contraction is no longer small.
"""

from ....kernel.algebra.blas1 import copy
from ....kernel.decorators import inline
from ..methods.adams_formulas import NEXT
from ..methods.bdf_formulas import PREDICTED
from ..stepping import OK
from .full_jacobian import ANY_RATE
from .iteration import LONGEST_USE, call_structure, expected_rate, iterate, keep_rate
from .structure import LINEARIZE

QUICK, AGED = 0.1, 10  # contraction from which the derivatives are renewed, after so many steps
SLOW = 0.35  # contraction from which a step counts as slow (memory.SLOW_STEPS)


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
def solve_articulated(tables, work, rhs, run, t, c):
    """(status, converged) of a step: with the last derivatives, then with new ones."""
    control, memory = run.control[0], run.memory[0]
    renew, status, converged, observed = derivatives_are_old(memory), OK, False, False
    for _ in range(2):
        if renew:
            copy(run.vectors[PREDICTED], run.vectors[NEXT])
            status = call_structure(control.structure, tables, work, LINEARIZE, run, t)
        if status != OK:
            break
        expected = expected_rate(memory, c)
        memory.rate, memory.c = expected, c
        status, converged = iterate(tables, work, rhs, run, t, c)
        observed = memory.rate != expected
        if converged or renew:
            break
        memory.rate, renew = ANY_RATE, True
    keep_rate(memory, converged, observed)
    count_slow_step(memory, not converged or (observed and memory.rate > SLOW))
    return status, converged
