"""Projection with the smallest change in the mass norm, by the iteration as printed.

    psi_p1 = M (q - q*) + G(q)^T tau,    psi_p2 = g(q)          [ M  G^T ] [ dq   ]     [ psi_p1 ]
    psi_v1 = M (v - v*) + G(q)^T tau,    psi_v2 = G v - nu      [ G   0  ] [ dtau ] = - [ psi_p2 ]

Source: [Lee1994, eqs. (23)-(29)]. M and the factors are those of the predicted state; the residuals
have the G of each iterate. `projection.py` solves for psi_p2 alone: its sum of corrections lies in
the span of M^-1 G^T of the predicted state and misses the minimum as far as G changes over the
correction. The deviation q - q* is stored in velocity coordinates d, q = q* (+) d.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from ..equations.interface import jacobian, positions, shift, values, velocities
from .products import diagonal_norm2, inertia_times, transpose_times, velocity_residuals
from .projection import (
    CLOSED,
    max_violation,
    needs_correction,
    position_eps,
    record_velocity_correction,
    residual_to_rhs,
    velocity_scale,
)
from .range_space import solve

_OK, _OPEN = int(Status.OK), int(Status.NO_CLOSURE)
_TRIES = 20
_SLOW = 0.5  # ratio of successive corrections above which the matrix is factorized again
_MINIMAL = 1e-12  # ratio of the last correction to their sum at which psi_1 is zero


@inline
def travel(tables, d):
    """Largest entry of d as a length; angles are multiplied by the length of the model."""
    most = 0.0
    for k in range(d.shape[0]):
        most = max(most, abs(d[k]) * (tables.settings[0].length if tables.turns[k] > 0.0 else 1.0))
    return most


@inline
def correction(tables, work, d, tau):
    """Solve for the corrections with psi_2 in work.g, add them to d and tau; return that of d."""
    step, dtau = work.v_rhs, work.dlam
    inertia_times(tables, work, d, step)
    for k in range(step.shape[0]):
        step[k] = -step[k]
    transpose_times(tables, work, tau, step)
    residual_to_rhs(work)
    solve(tables, work, step, work.row_rhs, dtau)
    work.report[0].iterations += 1
    add_scaled(1.0, step, d)
    add_scaled(1.0, dtau, tau)
    return step


@inline
def begin(work):
    """The deviation d = 0 and the multipliers tau = 0."""
    d, tau = work.v_trial, work.tau[: work.report[0].rank]
    fill(d, 0.0)
    fill(tau, 0.0)
    return d, tau


@inline
def ended(error, enough, change, before, moved, tolerated):
    """(whether the minimum is reached, whether the iteration stopped without reaching it)."""
    reached = error <= enough and change <= max(_MINIMAL * moved, tolerated)
    return reached, not reached and not change <= _SLOW * before


@internal_kernel
def minimize_positions(tables, work, t, q, x):
    """q <- the solution of (23); q is unchanged if the iteration does not converge."""
    report, tolerated = work.report[0], tables.settings[0].closure
    length, predicted = tables.settings[0].length, work.q_trial
    d, tau = begin(work)
    copy(q, predicted)
    change, before = 0.0, math.inf
    for k in range(_TRIES):
        positions(tables, work, q)
        values(tables, work, t, q, x)
        error = max_violation(tables, work, work.g, 1.0)
        report.position_error = error
        enough = max(CLOSED * length, position_eps(tables, work), tolerated)
        reached, stuck = ended(error, enough, change, before, travel(tables, d), tolerated)
        if reached and not needs_correction(k):
            return _OK
        if stuck:
            break
        before = change if change > 0.0 else math.inf
        jacobian(tables, work, q)
        change = travel(tables, correction(tables, work, d, tau))
        copy(predicted, q)
        shift(tables, work, q, d)
    if report.position_error <= tables.settings[0].accepted * length:
        return _OK
    copy(predicted, q)
    return _OPEN


@internal_kernel
def minimize_velocities(tables, work, t, q, v):
    """v <- the solution of (27) at projected positions; unchanged without convergence."""
    report, tolerated = work.report[0], tables.settings[0].closure
    length = tables.settings[0].length
    d, tau = begin(work)
    velocities(tables, work, t, q)
    jacobian(tables, work, q)
    report.velocity_correction = 0.0
    fast, change, before = velocity_scale(v, 1.0), 0.0, math.inf
    for k in range(_TRIES):
        velocity_residuals(tables, work, v)
        error = max_violation(tables, work, work.g, fast)
        report.velocity_error = error
        enough = max(CLOSED * length * velocity_scale(v, 0.0), tolerated)
        reached, stuck = ended(error, enough, change, before, travel(tables, d), tolerated)
        if reached and not needs_correction(k):
            return _OK
        if stuck:
            break
        before = change if change > 0.0 else math.inf
        step = correction(tables, work, d, tau)
        change = travel(tables, step)
        add_scaled(1.0, step, v)
        record_velocity_correction(tables, work, diagonal_norm2(tables, work, d), v)
    if report.velocity_error <= tables.settings[0].accepted * length * fast:
        return _OK
    add_scaled(-1.0, d, v)
    return _OPEN
