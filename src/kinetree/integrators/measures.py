"""Vectors of a run, measured: against their tolerances, and by how far settling moves them."""

import math

from ..num.jit import inline
from ..saddle.branches import near

FAR = (
    4.0  # tolerances by which settling may move a new state; what the corrector leaves is below one
)
# of what it was before the step was halved: an error falls to a quarter or less, anything else does
# not help
HELPED = 0.35


@inline
def finite(x):
    for i in range(len(x)):
        if not math.isfinite(x[i]):
            return False
    return True


@inline
def copy(x, out):
    for i in range(len(x)):
        out[i] = x[i]


@inline
def weight_of(control, size, atol):
    """share / (rtol size + atol); zero of a passive component, whose atol is negative (passive.py)."""
    return control.share / (control.rtol * size + atol) if atol >= 0.0 else 0.0


@inline
def weigh(control, atol, y, weight):
    """weight_i = share / (rtol |y_i| + atol_i): an error of norm one is just tolerable."""
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
def moved_far(settled, before, weight, report, memory):
    """Has settling moved the new state, which was at `before` (used up), by far more than its
    error?

    Then that error comes back magnified, and the step is too long; unless a shorter one did not
    help, as where something jumps, or leads to a change point, or the velocities were expressed in
    another basis.
    """
    for i in range(len(before)):
        before[i] -= settled[i]
    moved, last = norm(before, weight), memory.moved
    memory.moved = moved
    return report.rebased == 0 and moved > FAR and moved < HELPED * last and not near(report)
