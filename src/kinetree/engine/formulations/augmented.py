"""Augmented equations with parameterisation: the method of the first paper.  [Lee1994, eqs.
(22)-(30)]

Integrates all of (q, v). After a step, positions and velocities are projected onto the constraints,
minimizing the change in the mass norm,

    min 1/2 (q - q*)^T M (q - q*)  s.t. g = 0,      min 1/2 (v - v*)^T M (v - v*)  s.t. G v = nu,

and the accelerations solve  M vdot + G^T lam = f,  G vdot = gamma.  All three use one factorised
                             matrix, formed at the
predicted state: residuals are exact, factors are frozen (quasi-Newton), and the matrix is factored
anew only where the corrections shrink by less than half. PRINTED iterates to the minimum, with all
residuals of the paper (`engine/kkt/minimizing.py`); without it the minimum is missed by as much as G
turns over the correction (`engine/kkt/projection.py`).
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner
from ...kernel.decorators import internal_kernel
from ...kernel.tables.python_calls import asked
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ..equations.interface import equations, shift
from ..kkt.minimizing import minimize_positions, minimize_velocities
from ..kkt.products import active_residual, inertia_times, transpose_times, weight
from ..kkt.projection import close_positions, close_velocities
from ..kkt.range_space import exchange, renew, solve
from ..kkt.row_selection import worn
from ..kkt.singular_steps import keep_doubt
from .store_result import answer

PRINTED = 1  # the variant that iterates (23)-(29) as printed
_OK, _NAN, _OPEN = int(Status.OK), int(Status.NOT_FINITE), int(Status.NO_CLOSURE)
_SLOW = 0.25  # squared contraction: corrections must at least halve
_EXACT = 1e-24  # squared relative size of a correction after which the next would be rounding
_TRIES = 8
_WHOLE, _PER_ROW = (
    1.0,
    1.0 / 3.0,
)  # corrections that new factors cost, and what they cost more with each row


@internal_kernel
def accelerate_direct(tables, work, lam):
    """vdot and multipliers with fresh factors."""
    status = renew(tables, work)
    if status != _OK:
        return status
    r2 = work.scratch[1]
    for k in range(work.report[0].rank):
        r2[k] = work.gamma[work.active[k]]
    copy(work.f, work.vdot)
    solve(tables, work, work.vdot, r2, lam)
    return _OK if math.isfinite(inner(work.vdot, work.vdot)) else _NAN


@internal_kernel
def accelerate_frozen(tables, work, lam):
    """The same by corrections with frozen factors, starting from the last vdot and lam.  [Lee1994,
    eq. (30)]
    """
    nv, vdot = work.f.shape[0], work.vdot
    r1, r2, dlam = work.scratch[2][:nv], work.scratch[1], work.scratch[3]
    before = math.inf
    for _ in range(_TRIES):
        inertia_times(tables, work, vdot, r1)
        for k in range(nv):
            r1[k] = work.f[k] - r1[k]
        transpose_times(tables, work, lam, r1)
        active_residual(tables, work, work.gamma, vdot, r2)
        solve(tables, work, r1, r2, dlam)
        work.report[0].iterations += 1
        add_scaled(1.0, r1, vdot)
        for k in range(work.report[0].rank):
            lam[k] += dlam[k]
        change = weight(tables, work, r1)
        if change <= _EXACT * weight(tables, work, vdot):
            return _OK
        if not change <= _SLOW * before:
            break
        before = change
    return accelerate_direct(tables, work, lam)


@asked
def rhs(tables, work, t, y, ydot):
    q, v, x = parts(tables, y)
    lam = work.scratch[7]
    equations(tables, work, t, q, v, x)
    report = work.report[0]
    report.evaluations += 1
    frozen = report.fresh == 1
    report.fresh = 0
    status = (
        accelerate_frozen(tables, work, lam) if frozen else accelerate_direct(tables, work, lam)
    )
    if status == _OK:
        answer(tables, work, q, v, y, ydot, lam)
    return status


@internal_kernel
def exchange_worn(tables, work, t, y):
    """At a settled state: where the rows in use have come close to each other, better ones are
    chosen and factored.
    """
    if not worn(work.report[0]):
        return _OK
    q, v, x = parts(tables, y)
    equations(tables, work, t, q, v, x)
    return exchange(tables, work)


@asked
def project(tables, work, t, y):
    q, v, x = parts(tables, y)
    report, nothing = work.report[0], work.scratch[6][: work.f.shape[0]]
    fill(nothing, 0.0)
    shift(tables, work, q, nothing)  # unit quaternions
    status, least = _OPEN, report.margin if report.factorisations > 0 else math.inf
    corrections, printed = 0, tables.settings[0].option == PRINTED
    for attempt in range(4):
        if attempt > 0 or report.factorisations == 0:
            equations(tables, work, t, q, v, x)
            status = renew(tables, work)
            if status == _OK and (attempt > 1 or worn(report)):
                status = exchange(tables, work)
            if status != _OK:
                return status
            least = min(least, report.margin)
        status = (
            minimize_positions(tables, work, t, q, x)
            if printed
            else close_positions(tables, work, t, q, x)
        )
        if status == _OK:
            corrections = -report.iterations
            status = (
                minimize_velocities(tables, work, t, q, v)
                if printed
                else close_velocities(tables, work, t, q, v)
            )
            corrections += report.iterations
        if status == _OK:
            break
    if status == _OK:
        status = exchange_worn(tables, work, t, y)
    keep_doubt(report, least)
    report.fresh = 1 if corrections <= _WHOLE + _PER_ROW * report.rank else 0
    return status
