"""Weighted error norm, and the components that it leaves out.

    |x| = sqrt(mean (w_i x_i)^2),      w_i = share / (rtol |y_i| + atol_i)

Passive components are dependent coordinates that a formulation computes from the independent ones
[Han1994]. A formulation sets `report.passive`, the number of dependent degrees of freedom at the
front of `work.columns`. No equation depends on their values in the state. Their absolute tolerances
are made negative; their weights are then zero, and the Jacobian of an implicit method has no
columns for them. They change when the formulation selects other coordinates. Models with
quaternions have none, because the components of a quaternion do not separate its three rotations.
"""

import math

from ...kernel.decorators import inline, internal_kernel
from ..kkt.singular_steps import near_change_point
from .memory import ATOL

FAR = 4.0  # tolerances by which the projection may move a new state; the corrector leaves under one
# ratio to the shift of a step twice as long: an error falls to a quarter or less
HELPED = 0.35


@inline
def weight_of(control, size, atol):
    """share / (rtol size + atol); zero for a passive component, whose atol is negative."""
    return control.share / (control.rtol * size + atol) if atol >= 0.0 else 0.0


@inline
def weigh(control, atol, y, weight):
    """weight_i = share / (rtol |y_i| + atol_i): an error of norm one equals the tolerance."""
    for i in range(len(y)):
        weight[i] = weight_of(control, abs(y[i]), atol[i])


@inline
def norm(x, weight):
    """Root mean square of the weighted components."""
    total = 0.0
    for i in range(len(x)):
        total += (x[i] * weight[i]) ** 2
    return math.sqrt(total / max(len(x), 1))


@inline
def projection_too_large(projected, before, weight, report, memory):
    """Whether the projection moved the new state by much more than the tolerance.

    Then the projection magnifies the error, and the step is too long. The exceptions: a shorter
    step did not help, as at a jump; a singular position is near; or the velocities were expressed
    in another basis.

    Overwrites  before, the state before the projection
    """
    for i in range(len(before)):
        before[i] -= projected[i]
    shift, last = norm(before, weight), memory.shift
    memory.shift = shift
    magnified = shift > FAR and shift < HELPED * last
    return magnified and report.rebased == 0 and not near_change_point(report)


@internal_kernel
def mark_passive(tables, work, run):
    """Make the tolerances of passive components negative and those of all others positive."""
    count, tolerance, nq = work.report[0].passive, run.vectors[ATOL], tables.settings[0].nq
    if count == 0:
        return
    for i in range(tolerance.shape[0]):
        tolerance[i] = abs(tolerance[i])
    for k in range(count):
        dof = work.columns[k]
        tolerance[dof] = -tolerance[dof]
        tolerance[nq + dof] = -tolerance[nq + dof]
