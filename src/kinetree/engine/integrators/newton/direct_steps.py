"""Newton's method for the constrained equations at the end of a step.  [Gear1985]

    matrix [dv, dx, c dlam] = [ -c (M a + G^T lam - f),  c xdot - psi - d,  nu - G v ]       (the
                                                         matrix: `newton_matrix.py`)

    [ M  G^T ] [ dw ]   [ 0             ]
    [ G   0  ] [ .  ] = [ -g / c - G dv ]           positions follow:  q = q^p - psi + c N (v + w)

The rows kept at both levels are those in use; w is what the second set of multipliers does, M^-1
G^T mu.
"""

import math

from ....kernel.algebra.blas1 import copy, fill
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.state import parts
from ...equations.interface import rates
from ...kkt.range_space import refactor, solve
from ..measures import finite, norm
from ..methods.adams_differences import NEXT, WEIGHT
from ..methods.bdf_differences import CHANGE, NEWTON, PREDICTED, PSI, SLOPE
from ..stepping import NOT_FINITE, OK
from .direct_differences import keep_present, take_differences
from .direct_equations import VELOCITIES, acceleration, ask, position_gap, residual
from .matrix import BASE, KEPT, LAM, OTHER, RIGHT, A, W, solve_structure, unknowns
from .steps import ITERATIONS, SOLVED

NOTHING = (
    1e-3 * SOLVED
)  # of a correction: rounding, where the prediction was exact, shrinks no further


@inline
def right_side(tables, work, run, c, y):
    """What is left of the equations, into RIGHT."""
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
def hold_positions(tables, work, run, t, c, y):
    """w <- w + dw, which closes g at the positions to come; dv is in RIGHT."""
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
    """The correction in RIGHT added to all unknowns; the change of y in row NEWTON."""
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
        fresh = follows(vectors, c, i)
        delta[i] = fresh - q[i]
        q[i] = fresh
    for i in range(nq + nv + nx, y.shape[0]):  # carried along: nothing depends on them
        y[i] = follows(vectors, c, i)


@inline
def follows(vectors, c, i):
    """y_i where its rate is that in row SLOPE."""
    return vectors[PREDICTED, i] - vectors[PSI, i] + c * vectors[SLOPE, i]


@inline
def keep_multipliers(work, kept, lam):
    """Those of the last step, for the rows in use."""
    fill(lam, 0.0)
    for k in range(work.report[0].rank):
        lam[work.selected[k]] = kept[work.selected[k]]


@internal_kernel
def prepare(tables, work, run, t, c, anew):
    """The equations at the predicted velocities and where these lead, their derivatives where
    `anew`; answers a Status.
    """
    memory, vectors, y = run.memory[0], run.vectors, run.vectors[NEXT]
    nv = tables.settings[0].nv
    copy(vectors[PREDICTED], y)
    q, v, _ = parts(tables, y)
    rates(tables, work, q, v, y, vectors[SLOPE])
    for i in range(q.shape[0]):
        q[i] = follows(vectors, c, i)
    status = ask(tables, work, memory, t, y, vectors, VELOCITIES)
    if status == OK and work.g.shape[0] > 0:
        status = refactor(tables, work)
    if status != OK:
        return status
    keep_multipliers(work, run.unknowns[KEPT], run.unknowns[LAM])
    if anew:
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
        status = take_differences(tables, work, t, run, VELOCITIES)
        if status == OK:
            status = ask(tables, work, memory, t, y, vectors, VELOCITIES)
    if status == OK:
        keep_present(tables, work, run)
    return status


@internal_kernel
def iterate(tables, work, run, t, c):
    """(status, converged) from the predicted state, where the equations were asked for last: d in
    row CHANGE, y in NEXT.
    """
    memory, vectors, y = run.memory[0], run.vectors, run.vectors[NEXT]
    nv = tables.settings[0].nv
    n, before, rate = memory.n, 0.0, memory.rate
    fill(run.unknowns[W][:nv], 0.0)
    for m in range(ITERATIONS):
        status = ask(tables, work, memory, t, y, vectors, VELOCITIES) if m > 0 else OK
        if status != OK:
            return status, False
        right_side(tables, work, run, c, y)
        solve_structure(run, run.unknowns[RIGHT])
        status = hold_positions(tables, work, run, t, c, y)
        if status != OK:
            return status, False
        advance_unknowns(tables, work, run, c, y)
        change = norm(vectors[NEWTON][:n], vectors[WEIGHT][:n])
        if not math.isfinite(change):
            return NOT_FINITE, False
        if m > 0:
            rate = max(0.3 * rate, change / before) if before > 0.0 else 0.0
            if change > NOTHING and (
                rate >= 0.9 or rate ** (ITERATIONS - 1 - m) / (1.0 - rate) * change > 1.0
            ):
                return OK, False
        if change <= NOTHING or (rate < 1.0 and rate / (1.0 - rate) * change <= SOLVED):
            memory.rate = rate
            copy(run.unknowns[LAM], run.unknowns[KEPT])
            for i in range(y.shape[0]):
                vectors[CHANGE, i] = y[i] - vectors[PREDICTED, i]
            return (OK, True) if finite(y) else (NOT_FINITE, False)
        before = change
    return OK, False
