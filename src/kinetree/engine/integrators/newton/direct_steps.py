"""Newton's method for the constrained equations at the end of a step [Gear1985].

    matrix [dv, dx, c dlam] = [ -c (M a + G^T lam - f),  c xdot - psi - d,  nu - G v ]

    [ M  G^T ] [ dw ]   [ 0             ]
    [ G   0  ] [ .  ] = [ -g / c - G dv ]           positions follow:  q = q^p - psi + c N (v + w)

The matrix is that of matrix.py. Both levels use the selected rows; w = M^-1 G^T mu is the effect of
the second set of multipliers. The loop of corrections is that of iteration.py.
"""

from ....kernel.algebra.blas1 import copy, fill
from ....kernel.algebra.convergence import all_finite
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.state import parts
from ...equations.interface import rates
from ...kkt.range_space import refactor, solve
from ..methods.adams_formulas import NEXT
from ..methods.bdf_formulas import CHANGE, NEWTON, PREDICTED, PSI, SLOPE
from ..stepping import NOT_FINITE, OK
from .direct_differences import difference_equations, store_present
from .direct_equations import (
    VELOCITIES,
    acceleration,
    evaluate_equations,
    position_gap,
    residual,
)
from .iteration import NEGLIGIBLE, iterate_corrections
from .matrix import BASE, KEPT, LAM, OTHER, RIGHT, A, W, solve_structure, unknowns


@inline
def right_side(tables, work, run, c, y):
    """Write the residual of the equations, with reversed sign, into row RIGHT."""
    nv, nx, _ = unknowns(run.lists)
    vectors, nq = run.vectors, tables.settings[0].nq
    base, right = run.unknowns[BASE], run.unknowns[RIGHT]
    acceleration(tables, c, y, vectors, run.unknowns[A][:nv])
    residual(tables, work, y, run.unknowns[A][:nv], run.unknowns[LAM], vectors, VELOCITIES, base)
    fill(right, 0.0)
    for k in range(nv):
        right[k] = -c * base[k]
    for k in range(nx):
        i = nq + nv + k
        right[nv + k] = -c * base[nv + k] - vectors[PSI, i] - (y[i] - vectors[PREDICTED, i])
    for k in range(work.report[0].rank):
        r = nv + nx + work.selected[k]
        right[r] = -base[r]


@internal_kernel
def correct_positions(tables, work, run, t, c, y):
    """w <- w + dw, so that g = 0 at the new positions; dv is in row RIGHT."""
    nv = tables.settings[0].nv
    gap, push, moved = work.row_rhs, work.dlam, work.v_rhs
    if work.report[0].rank == 0:
        return OK
    if not position_gap(tables, work, t, y, c, run.unknowns[RIGHT][:nv], gap):
        return NOT_FINITE
    fill(moved, 0.0)
    solve(tables, work, moved, gap, push)
    w = run.unknowns[W]
    for k in range(nv):
        w[k] += moved[k]
    return OK


@inline
def advance_unknowns(tables, work, run, c, y):
    """Add the correction in RIGHT to all unknowns; the change of y goes to row NEWTON."""
    nv, nx, size = unknowns(run.lists)
    vectors, nq = run.vectors, tables.settings[0].nq
    right, lam, w, delta = run.unknowns[RIGHT], run.unknowns[LAM], run.unknowns[W], vectors[NEWTON]
    q, v, _ = parts(tables, y)
    along = run.unknowns[OTHER][:nv]
    for r in range(size - nv - nx):
        lam[r] += right[nv + nx + r] / c
    for k in range(nv + nx):
        delta[nq + k] = right[k]
        y[nq + k] += right[k]
    for k in range(nv):
        along[k] = v[k] + w[k]
    copy(lam, work.lam)
    rates(tables, work, q, along, y, vectors[SLOPE])
    for i in range(nq):
        fresh = from_rate(vectors, c, i)
        delta[i] = fresh - q[i]
        q[i] = fresh
    for i in range(nq + nv + nx, y.shape[0]):  # quadratures: no equation depends on them
        y[i] = from_rate(vectors, c, i)


@inline
def from_rate(vectors, c, i):
    """y_i from its rate in row SLOPE."""
    return vectors[PREDICTED, i] - vectors[PSI, i] + c * vectors[SLOPE, i]


@inline
def last_multipliers(work, kept, lam):
    """lam of the last step on the selected rows, zero on the others."""
    fill(lam, 0.0)
    for k in range(work.report[0].rank):
        lam[work.selected[k]] = kept[work.selected[k]]


@internal_kernel
def prepare(tables, work, run, t, c, differentiate):
    """Evaluate the equations at the predicted velocities and the positions that follow from them.

    If `differentiate`, also compute their derivatives. Returns a Status.
    """
    memory, vectors, y = run.memory[0], run.vectors, run.vectors[NEXT]
    nv = tables.settings[0].nv
    copy(vectors[PREDICTED], y)
    q, v, _ = parts(tables, y)
    rates(tables, work, q, v, y, vectors[SLOPE])
    for i in range(q.shape[0]):
        q[i] = from_rate(vectors, c, i)
    status = evaluate_equations(tables, work, memory, t, y, vectors, VELOCITIES)
    if status == OK and work.g.shape[0] > 0:
        status = refactor(tables, work)
    if status != OK:
        return status
    last_multipliers(work, run.unknowns[KEPT], run.unknowns[LAM])
    if differentiate:
        acceleration(tables, c, y, vectors, run.unknowns[A][:nv])
        residual(
            tables,
            work,
            y,
            run.unknowns[A][:nv],
            run.unknowns[LAM],
            vectors,
            VELOCITIES,
            run.unknowns[BASE],
        )
        status = difference_equations(tables, work, t, run, VELOCITIES)
        if status == OK:
            status = evaluate_equations(tables, work, memory, t, y, vectors, VELOCITIES)
    if status == OK:
        store_present(tables, work, run)
    return status


@inline
def correct(tables, work, rhs, run, t, c, m):
    """One correction of all unknowns: the change of y in row NEWTON, y in NEXT; returns a Status.

    The first one uses the equations that `prepare` evaluated.
    """
    y, status = run.vectors[NEXT], OK
    if m > 0:
        status = evaluate_equations(tables, work, run.memory[0], t, y, run.vectors, VELOCITIES)
    if status != OK:
        return status
    right_side(tables, work, run, c, y)
    solve_structure(run, run.unknowns[RIGHT])
    status = correct_positions(tables, work, run, t, c, y)
    if status == OK:
        advance_unknowns(tables, work, run, c, y)
    return status


@inline
def iterate(tables, work, rhs, run, t, c):
    """(status, converged) from the predicted state: d in row CHANGE, y^p + d in NEXT."""
    vectors, y = run.vectors, run.vectors[NEXT]
    fill(run.unknowns[W][: tables.settings[0].nv], 0.0)
    status, converged = iterate_corrections(tables, work, correct, rhs, run, t, c, NEGLIGIBLE)
    if converged:
        copy(run.unknowns[LAM], run.unknowns[KEPT])
        for i in range(y.shape[0]):
            vectors[CHANGE, i] = y[i] - vectors[PREDICTED, i]
        if not all_finite(y):
            return NOT_FINITE, False
    return status, converged
