"""Projection onto the constraints with stored factors, almost minimal in the mass norm.  [Lee1994,
eqs. (23)-(29)]

min 1/2 (q - q*)^T M (q - q*)  s.t. g = 0,      min 1/2 (v - v*)^T M (v - v*)  s.t. G v = nu
"""

import math

from ...kernel.algebra.blas1 import add_scaled, fill
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from ..equations.interface import jacobian, positions, shift, values, velocities
from .products import misfits, weight
from .range_space import solve

_OK, _OPEN = int(Status.OK), int(Status.NO_CLOSURE)
# target of positions and velocities; `accepted` is what is still accepted where rounding forbids it
CLOSED = 1e-15
_TRIES = 10
_SLACK = 4.0  # absorbed gaps by which redundant rows may be off ...
_NARROW = 0.01  # ... over the margin of the rows in use, which magnifies them; but not more than so


@inline
def largest(tables, work, residual, fast):
    """Largest residual, rows that are angles taken at the size of the machine.

    Rows not in use may be off by the gap that was absorbed when the machine was assembled, which
    changes with the position by about as much; `fast` makes that a velocity.
    """
    most, slack = (
        0.0,
        _SLACK * tables.settings[0].absorbed * fast / max(work.report[0].margin, _NARROW),
    )
    for k in range(residual.shape[0]):
        r = work.active[k]
        size = abs(residual[r]) * (1.0 if tables.row_scale[r] > 0.0 else tables.settings[0].length)
        if k >= work.report[0].rank:
            size -= slack
        if not size <= most:
            most = size
    return most


@inline
def speed(v, least):
    """Largest velocity, at least `least`: what rounding of velocities is measured against."""
    fast = least
    for k in range(v.shape[0]):
        fast = max(fast, abs(v[k]))
    return fast


@inline
def rounding(tables, work):
    """What positions this far from the origin can be trusted to."""
    return 2e-15 * max(tables.settings[0].length, work.report[0].far)


@inline
def newton(tables, work, t, q, x, correct, slow, anew):
    """Onto g = 0, in place:  q <- q (+) correct(tables, work), which is asked for at the present g
    and, if `anew`, G.

        Corrections go on while each leaves less than `slow` of the error before it.
    """
    report, length, before = work.report[0], tables.settings[0].length, math.inf
    for _ in range(_TRIES):
        positions(tables, work, q)
        values(tables, work, t, q, x)
        error = largest(tables, work, work.g, 1.0)
        report.position_error = error
        if error <= max(CLOSED * length, rounding(tables, work), tables.settings[0].closure):
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
    """The smallest change in the mass norm, of M and G as they were factored, for the present g.
    [Lee1994, eqs. (23)-(26)]

        All corrections lie in the span of M^-1 G^T, so M (q - q*) + G^T tau = 0 holds for their sum
        with the G that was factored.
        With the G of the last iterate it is missed by as much as G turns on the way (`minimizing.py`
        does not): an error of an error.
    """
    r1, r2, dtau = work.scratch[2][: work.f.shape[0]], work.scratch[1], work.scratch[3]
    fill(r1, 0.0)
    for k in range(work.report[0].rank):
        r2[k] = -work.g[work.active[k]]
    solve(tables, work, r1, r2, dtau)
    return _OK, r1


@internal_kernel
def close_positions(tables, work, t, q, x):
    """Position correction with the stored factors."""
    return newton(tables, work, t, q, x, with_stored_factors, 0.5, False)


@inline
def keep_kick(tables, work, change, v):
    """Part of the velocity that settling took away; `change` is its squared weight."""
    present = weight(tables, work, v)
    work.report[0].kick = math.sqrt(change / present) if present > 0.0 else 0.0


@internal_kernel
def close_velocities(tables, work, t, q, v):
    """Velocity correction with the stored factors.  [Lee1994, eqs. (27)-(29)]"""
    nv = work.f.shape[0]
    r1, r2, dtau = work.scratch[2][:nv], work.scratch[1], work.scratch[3]
    velocities(tables, work, t, q)
    jacobian(tables, work, q)
    work.report[0].kick = 0.0
    fast, before, change = speed(v, 1.0), math.inf, 0.0
    for _ in range(_TRIES):
        misfits(tables, work, v)
        error = largest(tables, work, work.g, fast)
        work.report[0].velocity_error = error
        if error <= max(
            CLOSED * tables.settings[0].length * speed(v, 0.0), tables.settings[0].closure
        ):  # of slow machines too
            return _OK
        if not error <= 0.5 * before:
            return (
                _OK
                if error <= tables.settings[0].accepted * tables.settings[0].length * fast
                else _OPEN
            )
        before = error
        fill(r1, 0.0)
        for k in range(work.report[0].rank):
            r2[k] = -work.g[work.active[k]]
        solve(tables, work, r1, r2, dtau)
        work.report[0].iterations += 1
        add_scaled(1.0, r1, v)
        change += weight(tables, work, r1)
        keep_kick(tables, work, change, v)
    return _OPEN
