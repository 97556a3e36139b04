"""Residuals of the constrained equations at the end of a step [Gear1985].

    qdot = N(q) (v + w)            w = A^-1 G^T mu, of the size of the discretization error; A is
                                   Newton's matrix of the velocities
    M(q) a + G^T lam = f           a = (psi + d) / c, the acceleration from the BDF formula
    xdot = xdot(t, q, v, x)
    G v = nu,   g = 0              both are satisfied, so that nothing drifts

Rows that are not selected (engine/kkt/row_selection.py) are left out; their multipliers are zero.
"""

import math

from ....kernel.algebra.blas1 import copy
from ....kernel.algebra.convergence import all_finite
from ....kernel.decorators import inline
from ....kernel.tables.state import parts
from ...equations.interface import equations, rates, values, velocities
from ...kkt.products import add_row, inertia_times, row_product
from ..methods.bdf_formulas import PREDICTED, PSI, SLOPE
from ..stepping import INTERRUPTED, NOT_FINITE, OK, checked_status, count_evaluation

# rows as `bdf-direct` has them, as formulations do; body by body
VELOCITIES, ACCELERATIONS, TWISTS = range(3)


@inline
def evaluate_equations(tables, work, memory, t, y, vectors, level):
    """Evaluate the equations at a state; returns a Status.

    Writes  row SLOPE, the rates without the accelerations
    """
    report = work.report[0]
    if not count_evaluation(memory, report):
        return INTERRUPTED
    report.evaluations += 1
    q, v, x = parts(tables, y)
    equations(tables, work, t, q, v, x)
    velocities(tables, work, t, q)
    if level != VELOCITIES and tables.settings[0].stabilisation > 0.0:
        values(tables, work, t, q, x)
    rates(tables, work, q, v, y, vectors[SLOPE])
    copy(work.zeros, parts(tables, vectors[SLOPE])[1])
    return checked_status(
        work, OK if all_finite(vectors[SLOPE]) and all_finite(work.f) else NOT_FINITE, t, y
    )


@inline
def row_residual(tables, work, r, v, accelerations, level):
    """G v - nu, or G a - gamma with the terms of Baumgarte (engine/formulations/baumgarte.py)."""
    if level == VELOCITIES:
        return row_product(tables, work, r, v) - work.nu[r]
    alpha = tables.settings[0].stabilisation
    left = row_product(tables, work, r, accelerations) - work.gamma[r]
    if alpha > 0.0:
        left += alpha * (alpha * work.g[r] + 2.0 * (row_product(tables, work, r, v) - work.nu[r]))
    return left


@inline
def residual(tables, work, y, accelerations, lam, vectors, level, out):
    """[M a + G^T lam - f; -xdot; residuals of the rows] at the last evaluated state."""
    nv, nx, ng = tables.settings[0].nv, tables.settings[0].nx, tables.settings[0].ng
    _, v, _ = parts(tables, y)
    inertia_times(tables, work, accelerations, out[:nv])
    for k in range(nv):
        out[k] -= work.f[k]
    xdot = parts(tables, vectors[SLOPE])[2]
    for k in range(nx):
        out[nv + k] = -xdot[k]
    for r in range(ng):
        out[nv + nx + r] = row_residual(tables, work, r, v, accelerations, level)
        if lam[r] != 0.0:
            add_row(tables, work, r, lam[r], out)


@inline
def acceleration(tables, c, y, vectors, out):
    """a = (psi + d) / c."""
    nq = tables.settings[0].nq
    for k in range(out.shape[0]):
        i = nq + k
        out[k] = (vectors[PSI, i] + y[i] - vectors[PREDICTED, i]) / c


@inline
def position_gap(tables, work, t, y, c, change, out):
    """-g / c - G dv on the selected rows at the last evaluated state; False if not finite.

    Reads  change, the rows G dv
    """
    q, _, x = parts(tables, y)
    values(tables, work, t, q, x)
    total = 0.0
    for k in range(work.report[0].rank):
        r = work.selected[k]
        out[r] = -work.g[r] / c - change[r]
        total += out[r]
    return math.isfinite(total)
