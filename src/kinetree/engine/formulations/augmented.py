"""Augmented equations with projection: the method of the first paper.  [Lee1994, eqs. (22)-(30)]

The state is (q, v). After a step, positions and velocities are projected onto the constraints with
the smallest change in the mass norm,

    min 1/2 (q - q*)^T M (q - q*)  s.t. g = 0,      min 1/2 (v - v*)^T M (v - v*)  s.t. G v = nu,

and the accelerations solve  M vdot + G^T lam = f,  G vdot = gamma.  All three use one factorized
matrix, formed at the predicted state: the residuals are exact, the factors are kept (quasi-Newton),
and the matrix is factorized again only if the corrections shrink by less than half. The variant
PRINTED iterates to the minimum, with all residuals of the paper (`engine/kkt/minimizing.py`);
without it the minimum is missed as far as G changes over the correction
(`engine/kkt/projection.py`).
"""

from __future__ import annotations

import math

from ...kernel.algebra.blas1 import add_scaled, copy, inner
from ...kernel.decorators import internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..equations.interface import equations, shift
from ..kkt.minimizing import minimize_positions, minimize_velocities
from ..kkt.products import diagonal_norm2, inertia_times, selected_residual, transpose_times
from ..kkt.projection import close_positions, close_velocities
from ..kkt.range_space import refactor, reselect, solve
from ..kkt.row_selection import needs_reselection
from ..kkt.singular_steps import keep_smallest_margin
from .store_result import store_result

PRINTED = 1  # the variant that iterates (23)-(29) as printed
_OK, _NAN, _OPEN = int(Status.OK), int(Status.NOT_FINITE), int(Status.NO_CLOSURE)
_SLOW = 0.25  # squared ratio of successive corrections above which the matrix is factorized again
_EXACT = 1e-24  # squared relative size of a correction after which the next one is rounding
_TRIES = 8
# cost of a factorization in corrections: that of a model without rows, and the cost of each row
_WHOLE, _PER_ROW = 1.0, 1.0 / 3.0


@internal_kernel
def accelerate_direct(tables, work, lam):
    """vdot and multipliers with new factors. Returns a Status."""
    status = refactor(tables, work)
    if status != _OK:
        return status
    r2 = work.row_rhs
    for k in range(work.report[0].rank):
        r2[k] = work.gamma[work.selected[k]]
    copy(work.f, work.vdot)
    solve(tables, work, work.vdot, r2, lam)
    return _OK if math.isfinite(inner(work.vdot, work.vdot)) else _NAN


@internal_kernel
def accelerate_frozen(tables, work, lam):
    """The same by corrections with the kept factors, from the last vdot and lam.

    Source: [Lee1994, eq. (30)].
    """
    nv, vdot = work.f.shape[0], work.vdot
    r1, r2, dlam = work.v_rhs, work.row_rhs, work.dlam
    before = math.inf
    for _ in range(_TRIES):
        inertia_times(tables, work, vdot, r1)
        for k in range(nv):
            r1[k] = work.f[k] - r1[k]
        transpose_times(tables, work, lam, r1)
        selected_residual(tables, work, work.gamma, vdot, r2)
        solve(tables, work, r1, r2, dlam)
        work.report[0].iterations += 1
        add_scaled(1.0, r1, vdot)
        for k in range(work.report[0].rank):
            lam[k] += dlam[k]
        change = diagonal_norm2(tables, work, r1)
        if change <= _EXACT * diagonal_norm2(tables, work, vdot):
            return _OK
        if not change <= _SLOW * before:
            break
        before = change
    return accelerate_direct(tables, work, lam)


@kernel
def rhs(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """Derivative of the state: accelerations by kept or by new factors. Returns a Status."""
    q, v, x = parts(tables, y)
    lam = work.lam_selected
    equations(tables, work, t, q, v, x)
    report = work.report[0]
    report.evaluations += 1
    frozen = report.fresh == 1
    report.fresh = 0
    if frozen:
        status = accelerate_frozen(tables, work, lam)
    else:
        status = accelerate_direct(tables, work, lam)
    if status == _OK:
        store_result(tables, work, q, v, y, ydot, lam)
    return status


@internal_kernel
def reselect_if_needed(tables, work, t, y):
    """At a projected state: select and factorize better rows if the margin fell."""
    if not needs_reselection(work.report[0]):
        return _OK
    q, v, x = parts(tables, y)
    equations(tables, work, t, q, v, x)
    return reselect(tables, work)


@kernel
def project(tables: Tables, work: Work, t: float, y: Vector):
    """Project a state with the kept factors; factorize again if that fails. Returns a Status."""
    q, v, x = parts(tables, y)
    report = work.report[0]
    shift(tables, work, q, work.zeros)  # unit quaternions
    status, least = _OPEN, report.pivot_margin if report.factorisations > 0 else math.inf
    corrections, printed = 0, tables.settings[0].option == PRINTED
    for attempt in range(4):
        if attempt > 0 or report.factorisations == 0:
            equations(tables, work, t, q, v, x)
            status = refactor(tables, work)
            if status == _OK and (attempt > 1 or needs_reselection(report)):
                status = reselect(tables, work)
            if status != _OK:
                return status
            least = min(least, report.pivot_margin)
        if printed:
            status = minimize_positions(tables, work, t, q, x)
        else:
            status = close_positions(tables, work, t, q, x)
        if status == _OK:
            corrections = -report.iterations
            if printed:
                status = minimize_velocities(tables, work, t, q, v)
            else:
                status = close_velocities(tables, work, t, q, v)
            corrections += report.iterations
        if status == _OK:
            break
    if status == _OK:
        status = reselect_if_needed(tables, work, t, y)
    keep_smallest_margin(report, least)
    report.fresh = 1 if corrections <= _WHOLE + _PER_ROW * report.rank else 0
    return status
