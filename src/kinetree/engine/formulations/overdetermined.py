"""Over-determined system: positions and velocities restored together, in the sense of least
squares.   [Fuehrer1991]

    [ G          0 ] [ dq     ]     [ g            ]
    [ (G v)_q/s  G ] [ dv / s ] = - [ (G v - nu)/s ]            smallest (dq, dv / s)

The rate s is one per second, but between a thousandth and a thousand of max |(G v)_q| / max |G|, so
that neither block is rounding of the other, however fast or slow the machine is. The equations of
motion give the accelerations; the position and velocity constraints are kept beside them and met at
every accepted state by one generalised inverse, so a change of position accounts for what it does
to the velocity.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner, scale_by
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.python_calls import asked
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ..equations.interface import equations, jacobian, positions, shift, values, velocities
from ..kkt.products import weight
from ..kkt.projection import CLOSED, keep_kick, largest, rounding, speed
from ..kkt.row_selection import DEPENDENT
from .augmented import accelerate_direct, exchange_worn
from .augmented import rhs as rhs

_OK, _OPEN, _ROWS = int(Status.OK), int(Status.NO_CLOSURE), int(Status.SINGULAR_CONSTRAINTS)
# of the difference quotient for (G v)_q, less in small machines; an error here only slows the
# iteration
_STEP = 1e-6
_FAST = 1e3  # by how much the blocks may differ
_STILL = 1e-300  # speed of a machine at rest: nothing is divided by zero
_TRIES = 8


@internal_kernel
def differentiate(tables, work, q, v, at):
    """D = (G v)_q into the lower left block, one difference per freedom; leaves G and the positions
    at q.
    """
    n, rank = v.shape[0], work.report[0].rank
    nudge, moved = work.scratch[5][:n], work.scratch[4][: q.shape[0]]
    step = _STEP * min(tables.settings[0].length, 1.0)
    for j in range(n):
        fill(nudge, 0.0)
        nudge[j] = step
        copy(q, moved)
        shift(tables, work, moved, nudge)
        positions(tables, work, moved)
        jacobian(tables, work, moved)
        for k in range(rank):
            work.both[rank + k, j] = (inner(work.G[work.active[k]], v) - at[k]) / step
    positions(tables, work, q)
    jacobian(tables, work, q)


@inline
def rate_of(work, n, rank):
    """s of the module (1/s)."""
    turning, size = 0.0, 0.0
    for k in range(rank):
        for j in range(n):
            turning, size = (
                max(turning, abs(work.both[rank + k, j])),
                max(size, abs(work.G[work.active[k], j])),
            )
    return min(max(1.0, turning / size / _FAST), turning / size * _FAST) if turning > 0.0 else 1.0


@internal_kernel
def fill_blocks(tables, work, q, v, r):
    """The matrix, rows of length 2 n, and s; the lower half of r is divided by it."""
    n, rank = v.shape[0], work.report[0].rank
    at = work.scratch[3]
    for k in range(rank):
        at[k] = inner(work.G[work.active[k]], v)
    for k in range(2 * rank):
        fill(work.both[k], 0.0)
    differentiate(tables, work, q, v, at)
    s = rate_of(work, n, rank)
    for k in range(rank):
        r[rank + k] /= s
        for j in range(n):
            work.both[rank + k, j] /= s
            work.both[k, j] = work.G[work.active[k], j]
            work.both[rank + k, n + j] = work.G[work.active[k], j]
    return s


@inline
def least_change(work, rows, r):
    """Smallest solution of `both` c = r by orthogonalising the rows; r becomes the coefficients,
    the answer is in change.
    """
    for k in range(rows):
        row = work.both[k]
        size = math.sqrt(inner(row, row))
        for _ in range(2):
            for j in range(k):
                s = inner(work.both[j], row)
                add_scaled(-s, work.both[j], row)
                r[k] -= s * r[j]
        left = math.sqrt(inner(row, row))
        if not left > DEPENDENT * size:
            return _ROWS
        scale_by(1.0 / left, row)
        r[k] /= left
    fill(work.change, 0.0)
    for k in range(rows):
        add_scaled(r[k], work.both[k], work.change)
    return _OK


@asked
def project(tables, work, t, y):
    q, v, x = parts(tables, y)
    n, report = v.shape[0], work.report[0]
    fill(work.change, 0.0)
    shift(tables, work, q, work.change[:n])
    if report.selections == 0:
        equations(tables, work, t, q, v, x)
        status = accelerate_direct(tables, work, work.scratch[7])
        if status != _OK:
            return status
    length, fast, r = tables.settings[0].length, speed(v, 1.0), work.scratch[2]
    report.kick, change, before, quick = 0.0, 0.0, math.inf, _STILL
    for _ in range(_TRIES):
        quick = max(quick, speed(v, 0.0))  # the fastest so far, for corrections may stop it
        positions(tables, work, q)
        values(tables, work, t, q, x)
        jacobian(tables, work, q)
        velocities(tables, work, t, q)
        report.position_error = largest(tables, work, work.g, 1.0)
        for k in range(report.rank):
            r[k] = -work.g[work.active[k]]
        for i in range(work.g.shape[0]):
            work.g[i] = inner(work.G[i], v) - work.nu[i]
        report.velocity_error = largest(tables, work, work.g, fast)
        for k in range(report.rank):
            r[report.rank + k] = -work.g[work.active[k]]
        position, velocity = (
            report.position_error / length,
            report.velocity_error / (length * quick),
        )
        enough = max(CLOSED, tables.settings[0].closure / length)
        exact = position <= max(enough, rounding(tables, work) / length) and velocity <= max(
            CLOSED, enough / quick
        )
        if exact or not max(position, velocity) <= 0.5 * before:
            report.fresh = 0
            accepted = tables.settings[0].accepted * length
            close = report.position_error <= accepted and report.velocity_error <= accepted * fast
            return exchange_worn(tables, work, t, y) if exact or close else _OPEN
        before = max(position, velocity)
        s = fill_blocks(tables, work, q, v, r)
        status = least_change(work, 2 * report.rank, r)
        if status != _OK:
            return status
        report.iterations += 1
        shift(tables, work, q, work.change[:n])
        scale_by(s, work.change[n:])
        add_scaled(1.0, work.change[n:], v)
        change += weight(tables, work, work.change[n:])
        keep_kick(tables, work, change, v)
    return _OPEN
