"""Overdetermined system: positions and velocities are projected together by least squares.

    [ G          0 ] [ dq     ]     [ g            ]
    [ (G v)_q/s  G ] [ dv / s ] = - [ (G v - nu)/s ]            smallest (dq, dv / s)

Source: [Fuehrer1991]. The rate s is 1/s, limited to between a thousandth and a thousand times
max |(G v)_q| / max |G|, so that neither block is rounding of the other, however fast the motion is.
The equations of motion give the accelerations. The position and velocity constraints are satisfied
at every accepted state by one generalized inverse, so that a change of position accounts for its
effect on the velocity.
"""

from __future__ import annotations

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner, scale_by
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..equations.interface import equations, jacobian, positions, shift, values, velocities
from ..kkt.products import diagonal_norm2
from ..kkt.projection import (
    CLOSED,
    max_violation,
    position_eps,
    record_velocity_correction,
    velocity_scale,
)
from ..kkt.row_selection import DEPENDENT
from .augmented import accelerate_direct, reselect_if_needed
from .augmented import rhs as rhs

_OK, _OPEN, _ROWS = int(Status.OK), int(Status.NO_CLOSURE), int(Status.SINGULAR_CONSTRAINTS)
# step of the difference quotient for (G v)_q, smaller in small models; its error only slows the
# iteration
_STEP = 1e-6
_FAST = 1e3  # largest ratio of the two blocks
_STILL = 1e-300  # speed of a model at rest, to avoid a division by zero
_TRIES = 8


@internal_kernel
def differentiate(tables, work, q, v, at):
    """D = (G v)_q into the lower left block, one difference per velocity; restores G at q."""
    n, rank = v.shape[0], work.report[0].rank
    nudge, moved = work.v_step, work.q_trial
    step = _STEP * min(tables.settings[0].length, 1.0)
    for j in range(n):
        fill(nudge, 0.0)
        nudge[j] = step
        copy(q, moved)
        shift(tables, work, moved, nudge)
        positions(tables, work, moved)
        jacobian(tables, work, moved)
        for k in range(rank):
            work.stacked[rank + k, j] = (inner(work.G[work.selected[k]], v) - at[k]) / step
    positions(tables, work, q)
    jacobian(tables, work, q)


@inline
def rate_of(work, n, rank):
    """The rate s (1/s)."""
    turning, size = 0.0, 0.0
    for k in range(rank):
        for j in range(n):
            turning = max(turning, abs(work.stacked[rank + k, j]))
            size = max(size, abs(work.G[work.selected[k], j]))
    return min(max(1.0, turning / size / _FAST), turning / size * _FAST) if turning > 0.0 else 1.0


@internal_kernel
def fill_blocks(tables, work, q, v, r):
    """Fill the matrix, rows of length 2 n; divide the lower half of r by s. Returns s."""
    n, rank = v.shape[0], work.report[0].rank
    at = work.row_rhs
    for k in range(rank):
        at[k] = inner(work.G[work.selected[k]], v)
    for k in range(2 * rank):
        fill(work.stacked[k], 0.0)
    differentiate(tables, work, q, v, at)
    s = rate_of(work, n, rank)
    for k in range(rank):
        r[rank + k] /= s
        for j in range(n):
            work.stacked[rank + k, j] /= s
            work.stacked[k, j] = work.G[work.selected[k], j]
            work.stacked[rank + k, n + j] = work.G[work.selected[k], j]
    return s


@inline
def least_change(work, rows, r):
    """stacked_step <- the least-norm solution of `stacked` c = r. Returns a Status.

    The rows are orthogonalized in place, and r becomes the coefficients.
    """
    for k in range(rows):
        row = work.stacked[k]
        size = math.sqrt(inner(row, row))
        for _ in range(2):
            for j in range(k):
                s = inner(work.stacked[j], row)
                add_scaled(-s, work.stacked[j], row)
                r[k] -= s * r[j]
        left = math.sqrt(inner(row, row))
        if not left > DEPENDENT * size:
            return _ROWS
        scale_by(1.0 / left, row)
        r[k] /= left
    fill(work.stacked_step, 0.0)
    for k in range(rows):
        add_scaled(r[k], work.stacked[k], work.stacked_step)
    return _OK


@kernel
def project(tables: Tables, work: Work, t: float, y: Vector):
    """Project positions and velocities together. Returns a Status."""
    q, v, x = parts(tables, y)
    n, report = v.shape[0], work.report[0]
    fill(work.stacked_step, 0.0)
    shift(tables, work, q, work.stacked_step[:n])
    if report.selections == 0:
        equations(tables, work, t, q, v, x)
        status = accelerate_direct(tables, work, work.lam_selected)
        if status != _OK:
            return status
    length, fast, r = tables.settings[0].length, velocity_scale(v, 1.0), work.stacked_rhs
    report.velocity_correction, change, before, quick = 0.0, 0.0, math.inf, _STILL
    for _ in range(_TRIES):
        # the largest so far, because corrections may reduce it
        quick = max(quick, velocity_scale(v, 0.0))
        positions(tables, work, q)
        values(tables, work, t, q, x)
        jacobian(tables, work, q)
        velocities(tables, work, t, q)
        report.position_error = max_violation(tables, work, work.g, 1.0)
        for k in range(report.rank):
            r[k] = -work.g[work.selected[k]]
        for i in range(work.g.shape[0]):
            work.g[i] = inner(work.G[i], v) - work.nu[i]
        report.velocity_error = max_violation(tables, work, work.g, fast)
        for k in range(report.rank):
            r[report.rank + k] = -work.g[work.selected[k]]
        position = report.position_error / length
        velocity = report.velocity_error / (length * quick)
        enough = max(CLOSED, tables.settings[0].closure / length)
        exact = position <= max(enough, position_eps(tables, work) / length) and velocity <= max(
            CLOSED, enough / quick
        )
        if exact or not max(position, velocity) <= 0.5 * before:
            report.fresh = 0
            accepted = tables.settings[0].accepted * length
            close = report.position_error <= accepted and report.velocity_error <= accepted * fast
            return reselect_if_needed(tables, work, t, y) if exact or close else _OPEN
        before = max(position, velocity)
        s = fill_blocks(tables, work, q, v, r)
        status = least_change(work, 2 * report.rank, r)
        if status != _OK:
            return status
        report.iterations += 1
        shift(tables, work, q, work.stacked_step[:n])
        scale_by(s, work.stacked_step[n:])
        add_scaled(1.0, work.stacked_step[n:], v)
        change += diagonal_norm2(tables, work, work.stacked_step[n:])
        record_velocity_correction(tables, work, change, v)
    return _OPEN
