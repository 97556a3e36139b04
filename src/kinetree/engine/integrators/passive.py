"""Components outside the error test: dependent coordinates that a formulation computes from the
independent ones.  [Han1994]

A formulation names them by `report.passive`, the number of dependent degrees of freedom at the
front of `work.columns`. Nothing depends on their values in the state, which follow by the same
formulas. Their absolute tolerances are made negative; their weights are then zero, and an implicit
method has no columns of them in its Jacobian. They change when the formulation chooses other
coordinates. Models with quaternions have none: the turns of one about three axes cannot be told
apart in its components.
"""

from ...kernel.decorators import internal_kernel
from .memory import ATOL


@internal_kernel
def mark_passive(tables, work, run):
    """Tolerances of the components that are passive now, negative; of all others, positive."""
    count, tolerance, nq = work.report[0].passive, run.vectors[ATOL], tables.settings[0].nq
    if count == 0:
        return
    for i in range(tolerance.shape[0]):
        tolerance[i] = abs(tolerance[i])
    for k in range(count):
        freedom = work.columns[k]
        tolerance[freedom] = -tolerance[freedom]
        tolerance[nq + freedom] = -tolerance[nq + freedom]
