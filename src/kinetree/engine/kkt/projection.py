"""Projection onto the constraints with stored factors, almost minimal in the mass norm.

    min 1/2 (q - q*)^T M (q - q*)  s.t. g = 0,      min 1/2 (v - v*)^T M (v - v*)  s.t. G v = nu

Source: [Lee1994, eqs. (23)-(29)].
"""

import math

from ...kernel.algebra.blas1 import add_scaled, fill
from ...kernel.decorators import inline, internal_kernel
from ...kernel.intrinsics import carries_derivatives
from ...kernel.tables.status import Status
from ..equations.interface import jacobian, positions, shift, values, velocities
from .products import diagonal_norm2, velocity_residuals
from .range_space import solve_roughly

_OK, _OPEN = int(Status.OK), int(Status.NO_CLOSURE)
# target for positions and velocities, relative to the length scale of the model;
# `settings.accepted` is the larger error that is accepted if rounding prevents this one
CLOSED = 1e-15
_TRIES = 10
# redundant rows may be violated by _SLACK times the gap absorbed at assembly, divided by the pivot
# margin of the selected rows, but by a margin of _NARROW at least
_SLACK = 4.0
_NARROW = 0.01


@inline
def max_violation(tables, work, residual, fast):
    """Largest residual; residuals that are angles are multiplied by the length of the model.

    Rows that are not selected may be violated by the gap that was absorbed at assembly, which
    varies with the position by about its own size. `fast` (1/s) converts that gap to a velocity.
    """
    margin = max(work.report[0].pivot_margin, _NARROW)
    most, slack = 0.0, _SLACK * tables.settings[0].absorbed * fast / margin
    for k in range(residual.shape[0]):
        r = work.selected[k]
        size = abs(residual[r]) * (1.0 if tables.row_scale[r] > 0.0 else tables.settings[0].length)
        if k >= work.report[0].rank:
            size -= slack
        if not size <= most:
            most = size
    return most


@inline
def velocity_scale(v, least):
    """Largest velocity, at least `least`: the scale of rounding errors of velocities."""
    fast = least
    for k in range(v.shape[0]):
        fast = max(fast, abs(v[k]))
    return fast


@inline
def position_eps(tables, work):
    """Rounding error (m) of positions at their distance from the origin."""
    return 2e-15 * max(tables.settings[0].length, work.report[0].max_distance)


@inline
def residual_to_rhs(work):
    """row_rhs <- -g over the selected rows."""
    for k in range(work.report[0].rank):
        work.row_rhs[k] = -work.g[work.selected[k]]


@inline
def needs_correction(k):
    """Whether a state without violation is corrected: its derivatives, once."""
    return k == 0 and carries_derivatives()


@inline
def newton(tables, work, t, q, x, correct, slow, anew):
    """Project q onto g = 0 in place:  q <- q (+) correct(tables, work).

    `correct` returns (Status, step) at the present g and, if `anew`, at the present G. The
    iteration stops if a correction leaves more than `slow` of the error before it.
    """
    report, length, before = work.report[0], tables.settings[0].length, math.inf
    for k in range(_TRIES):
        positions(tables, work, q)
        values(tables, work, t, q, x)
        error = max_violation(tables, work, work.g, 1.0)
        report.position_error = error
        closed = max(CLOSED * length, position_eps(tables, work), tables.settings[0].closure)
        if error <= closed and not needs_correction(k):
            return _OK
        if not error <= slow * before:
            return _OK if error <= tables.settings[0].accepted * length else _OPEN
        before = error
        if anew:
            jacobian(tables, work, q)
        status, step = correct(tables, work)
        if status != _OK:
            return status
        report.iterations += 1
        shift(tables, work, q, step)
    return _OPEN


@inline
def with_stored_factors(tables, work):
    """Status and smallest correction in the mass norm for the present g.  [Lee1994, (23)-(26)]

    M and G are those that were factorized. All corrections lie in the span of M^-1 G^T, so
    M (q - q*) + G^T tau = 0 holds for their sum with the factorized G. With the G of the last
    iterate it is violated as far as G changes over the correction, an error of second order
    (`minimizing.py` removes it).
    """
    r1 = work.v_rhs
    fill(r1, 0.0)
    residual_to_rhs(work)
    solve_roughly(tables, work, r1, work.row_rhs, work.dlam)
    return _OK, r1


@internal_kernel
def close_positions(tables, work, t, q, x):
    """Project q onto g = 0 with the stored factors. Returns a Status."""
    return newton(tables, work, t, q, x, with_stored_factors, 0.5, False)


@inline
def record_velocity_correction(tables, work, change, v):
    """Part of the velocity that the projection removed; `change` is its squared norm."""
    present = diagonal_norm2(tables, work, v)
    work.report[0].velocity_correction = math.sqrt(change / present) if present > 0.0 else 0.0


@internal_kernel
def close_velocities(tables, work, t, q, v):
    """Project v onto G v = nu with the stored factors. Returns a Status.  [Lee1994, (27)-(29)]"""
    report, length, r1 = work.report[0], tables.settings[0].length, work.v_rhs
    velocities(tables, work, t, q)
    jacobian(tables, work, q)
    report.velocity_correction = 0.0
    fast, before, change = velocity_scale(v, 1.0), math.inf, 0.0
    for k in range(_TRIES):
        velocity_residuals(tables, work, v)
        error = max_violation(tables, work, work.g, fast)
        report.velocity_error = error
        # relative to the present velocities, so that slow motion is projected as well
        closed = max(CLOSED * length * velocity_scale(v, 0.0), tables.settings[0].closure)
        if error <= closed and not needs_correction(k):
            return _OK
        if not error <= 0.5 * before:
            return _OK if error <= tables.settings[0].accepted * length * fast else _OPEN
        before = error
        fill(r1, 0.0)
        residual_to_rhs(work)
        solve_roughly(tables, work, r1, work.row_rhs, work.dlam)
        report.iterations += 1
        add_scaled(1.0, r1, v)
        change += diagonal_norm2(tables, work, r1)
        record_velocity_correction(tables, work, change, v)
    return _OPEN
