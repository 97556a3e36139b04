"""The reduced equations of motion in a basis N of the null space of G, for every basis method.

    N^T M N zddot = N^T (f - M a),   vdot = a + N zddot,   lam = G+^T (f - M vdot),     G a = gamma

Sources: [Kim1997, eqs. (4.8)-(4.13); LeeJoo, eqs. (44)-(50); Han1994, eq. (17)], with the sign of
lam and the stiffness term corrected. The integrated velocities are v, not the reduced rates
zdot = N^T (v - G+ nu). The basis may therefore rotate from step to step, and the rheonomic term
that the papers leave out of zddot does not occur.

Positions are projected by dq = -G+ g (or by the dependent coordinates alone), velocities by
v <- v - G+ (G v - nu). `null_space.py` computes the bases.
"""

from __future__ import annotations

import math

from ...kernel.algebra.blas1 import add_scaled, copy, inner
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.sparse import accelerate_by_fronts
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work, is_packed
from ...kernel.types import Vector
from ..equations.interface import equations, jacobian, shift, velocities
from ..kkt.mass_factor import factorize_mass, mass_times, solve_lower, solve_upper
from ..kkt.partition import discard_partition
from ..kkt.products import diagonal_norm2, velocity_residuals
from ..kkt.projection import (
    max_violation,
    newton,
    record_velocity_correction,
    residual_to_rhs,
    velocity_scale,
)
from ..kkt.row_space import right_inverse_transposed
from .null_space import decompose, keep_basis, null_basis, particular, reselect_if_needed
from .store_result import store_result
from .variants import PARTITION_PRINTED, is_partition

_OK, _NAN, _OPEN = int(Status.OK), int(Status.NOT_FINITE), int(Status.NO_CLOSURE)
_MASS = int(Status.SINGULAR_MASS)


@internal_kernel
def reduced_accelerations(tables, work, lam):
    """vdot, zddot and the multipliers of the selected rows. Returns a Status."""
    nv, n_free = work.f.shape[0], work.f.shape[0] - work.report[0].rank
    r2, Mr, z = work.row_rhs, work.v_rhs, work.zddot[:n_free]
    a = work.vdot
    for k in range(work.report[0].rank):
        r2[k] = work.gamma[work.selected[k]]
    particular(tables, work, r2, a)
    mass_times(tables.dof_parent, work.M, a, Mr)
    for k in range(nv):
        Mr[k] = work.f[k] - Mr[k]
    for k in range(n_free):
        z[k] = inner(work.N[k], Mr)
    for k in range(n_free):
        mass_times(tables.dof_parent, work.M, work.N[k], Mr)
        for j in range(k + 1):
            work.K[k, j] = inner(work.N[j], Mr)
    bad = factorize_mass(work.full_pattern, work.zeros, work.K[:n_free], work.L)
    if bad >= 0:
        work.report[0].index = 0
        return _MASS
    solve_upper(work.full_pattern, work.L, z)
    solve_lower(work.full_pattern, work.L, z)
    for k in range(n_free):
        add_scaled(z[k], work.N[k], a)
    mass_times(tables.dof_parent, work.M, a, Mr)
    for k in range(nv):
        Mr[k] = work.f[k] - Mr[k]
    right_inverse_transposed(work, Mr, lam)
    return _OK if math.isfinite(inner(a, a)) else _NAN


@inline
def correct_velocity(tables, work, v):
    """v <- v - G+ (G v - nu), or the dependent part of v alone. Returns the correction."""
    velocity_residuals(tables, work, v)
    residual_to_rhs(work)
    particular(tables, work, work.row_rhs, work.v_step)
    add_scaled(1.0, work.v_step, v)
    return work.v_step


@internal_kernel
def dependent_velocities(tables, work, t, q, v):
    """Dependent velocities from the independent ones:  G_u du = nu - G_v dv.  [Han1994, (17)]"""
    velocities(tables, work, t, q)
    jacobian(tables, work, q)
    status = decompose(tables, work)
    for _ in range(2 if status == _OK else 0):
        correct_velocity(tables, work, v)
    return status


@kernel
def rhs(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """Derivative of the state by the reduced equations. Returns a Status."""
    nq = tables.settings[0].nq
    q, v, x = parts(tables, y)
    if is_partition(tables.settings[0].option) and work.report[0].partitions > 0:
        q = work.q_trial
        copy(y, q)
        status = close_positions(tables, work, t, q, x)
        if status == _OK and tables.settings[0].option == PARTITION_PRINTED:
            v = work.v_trial
            copy(y[nq:], v)
            status = dependent_velocities(tables, work, t, q, v)
        if status != _OK:
            return status
    lam = work.lam_selected
    equations(tables, work, t, q, v, x)
    work.report[0].evaluations += 1
    status = decompose(tables, work)
    if status == _OK and is_packed(work):
        status = accelerate_by_fronts(tables, work, lam)
    elif status == _OK:
        status = null_basis(tables, work)
        if status == _OK:
            status = reduced_accelerations(tables, work, lam)
    if status == _OK:
        store_result(tables, work, q, v, y, ydot, lam)
    return status


@inline
def with_fresh_factors(tables, work):
    """Status and correction  dq = -G+ g,  or  du = -G_u^-1 g.   [Kim1997, eq. (5.1)]"""
    status = decompose(tables, work)
    if status == _OK:
        residual_to_rhs(work)
        particular(tables, work, work.row_rhs, work.v_step)
    return status, work.v_step


@kernel
def close_positions(tables, work, t, q, x):
    """Project q onto g = 0 by Gauss-Newton steps, with a new Jacobian at each."""
    return newton(tables, work, t, q, x, with_fresh_factors, 0.9, True)


@kernel
def close_velocities(tables, work, t, q, v):
    """Project v onto G v = nu.   [Kim1997, eq. (5.2); Han1994, eq. (17)]"""
    report = work.report[0]
    velocities(tables, work, t, q)
    jacobian(tables, work, q)
    status = decompose(tables, work)
    if status != _OK:
        return status
    velocity_residuals(tables, work, v)
    report.velocity_error = max_violation(tables, work, work.g, velocity_scale(v, 1.0))
    report.velocity_correction = 0.0
    if report.velocity_error <= tables.settings[0].closure:
        return _OK
    change = 0.0
    for _ in range(2):
        change += diagonal_norm2(tables, work, correct_velocity(tables, work, v))
    record_velocity_correction(tables, work, change, v)
    velocity_residuals(tables, work, v)
    report.velocity_error = max_violation(tables, work, work.g, velocity_scale(v, 1.0))
    return _OK


@kernel
def project(tables: Tables, work: Work, t: float, y: Vector):
    """Project positions and velocities and keep the basis. Returns a Status."""
    q, v, x = parts(tables, y)
    shift(tables, work, q, work.zeros)
    if work.report[0].selections == 0:
        equations(tables, work, t, q, v, x)
        status = decompose(tables, work)
        if status != _OK:
            return status
    corrections = -work.report[0].iterations
    status = close_positions(tables, work, t, q, x)
    corrections += work.report[0].iterations
    if status == _OPEN and is_partition(tables.settings[0].option):
        discard_partition(work.report[0])  # a poor partition: try once more with another one
        status = close_positions(tables, work, t, q, x)
    if status == _OK:
        status = close_velocities(tables, work, t, q, v)
    if status == _OK:
        status = reselect_if_needed(tables, work, corrections)
    return keep_basis(tables, work, v) if status == _OK else status
