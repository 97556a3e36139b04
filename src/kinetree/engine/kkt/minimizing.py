"""Positions and velocities with the smallest change in the mass metric, by the printed iteration.
[Lee1994, eqs. (23)-(29)]

    psi_p1 = M (q - q*) + G(q)^T tau,    psi_p2 = g(q)          [ M  G^T ] [ dq   ]     [ psi_p1 ]
    psi_v1 = M (v - v*) + G(q)^T tau,    psi_v2 = G v - nu      [ G   0  ] [ dtau ] = - [ psi_p2 ]

M and the factors are those of the predicted state; the residuals have the G of each iterate.
`closing.py` solves for psi_p2 alone: its sum of corrections lies in the span of M^-1 G^T of the
predicted state, and misses the minimum by as much as G turns
on the way. The deviation q - q* is kept as velocity coordinates d, q = q* (+) d.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ..equations.interface import jacobian, positions, shift, values, velocities
from .products import inertia_times, misfits, transpose_times, weight
from .projection import CLOSED, keep_kick, largest, rounding, speed
from .range_space import solve

_OK, _OPEN = int(Status.OK), int(Status.NO_CLOSURE)
_TRIES = 20
_SLOW = 0.5  # corrections must at least halve, else the matrix is factored anew
_MINIMAL = 1e-12  # last correction, against their sum, at which psi_1 is zero


@inline
def travel(tables, d):
    """Largest entry of d as a length, angles taken at the size of the machine."""
    most = 0.0
    for k in range(d.shape[0]):
        most = max(most, abs(d[k]) * (tables.settings[0].length if tables.turns[k] > 0.0 else 1.0))
    return most


@inline
def correction(tables, work, d, tau):
    """Solve for the corrections at the present residual psi_2 in work.g; add them to d and tau;
    return the one of d.
    """
    step, r2, dtau = work.scratch[2][: work.f.shape[0]], work.scratch[1], work.scratch[3]
    inertia_times(tables, work, d, step)
    for k in range(step.shape[0]):
        step[k] = -step[k]
    transpose_times(tables, work, tau, step)
    for k in range(work.report[0].rank):
        r2[k] = -work.g[work.active[k]]
    solve(tables, work, step, r2, dtau)
    work.report[0].iterations += 1
    add_scaled(1.0, step, d)
    add_scaled(1.0, dtau, tau)
    return step


@inline
def begin(tables, work):
    """q*, d = 0 and tau = 0 in scratch."""
    predicted, d, tau = parts(tables, work.scratch[4])
    tau = tau[: work.report[0].rank]
    fill(d, 0.0)
    fill(tau, 0.0)
    return predicted, d, tau


@inline
def ended(error, enough, change, before, moved, tolerated):
    """Whether the minimum is reached, and whether the iteration has ended without."""
    reached = error <= enough and change <= max(_MINIMAL * moved, tolerated)
    return reached, not reached and not change <= _SLOW * before


@internal_kernel
def minimize_positions(tables, work, t, q, x):
    """q <- the solution of (23), in place; q stays where it is if the iteration does not converge."""
    report, tolerated, length = (
        work.report[0],
        tables.settings[0].closure,
        tables.settings[0].length,
    )
    predicted, d, tau = begin(tables, work)
    copy(q, predicted)
    change, before = 0.0, math.inf
    for _ in range(_TRIES):
        positions(tables, work, q)
        values(tables, work, t, q, x)
        report.position_error = largest(tables, work, work.g, 1.0)
        enough = max(CLOSED * length, rounding(tables, work), tolerated)
        reached, stuck = ended(
            report.position_error, enough, change, before, travel(tables, d), tolerated
        )
        if reached:
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
    """v <- the solution of (27), in place, at positions that are on the constraints."""
    report, tolerated, length = (
        work.report[0],
        tables.settings[0].closure,
        tables.settings[0].length,
    )
    _, d, tau = begin(tables, work)
    velocities(tables, work, t, q)
    jacobian(tables, work, q)
    report.kick = 0.0
    fast, change, before = speed(v, 1.0), 0.0, math.inf
    for _ in range(_TRIES):
        misfits(tables, work, v)
        report.velocity_error = largest(tables, work, work.g, fast)
        enough = max(CLOSED * length * speed(v, 0.0), tolerated)
        reached, stuck = ended(
            report.velocity_error, enough, change, before, travel(tables, d), tolerated
        )
        if reached:
            return _OK
        if stuck:
            break
        before = change if change > 0.0 else math.inf
        step = correction(tables, work, d, tau)
        change = travel(tables, step)
        add_scaled(1.0, step, v)
        keep_kick(tables, work, weight(tables, work, d), v)
    if report.velocity_error <= tables.settings[0].accepted * length * fast:
        return _OK
    add_scaled(-1.0, d, v)
    return _OPEN
