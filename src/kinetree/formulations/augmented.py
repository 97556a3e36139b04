"""Augmented equations with parameterisation: the method of the first paper.  [Lee1994, eqs. (22)-(30)]

Integrates all of (q, v). After a step, positions and velocities go back onto the constraints by the smallest change in
the mass metric,

    min 1/2 (q - q*)^T M (q - q*)  s.t. g = 0,      min 1/2 (v - v*)^T M (v - v*)  s.t. G v = nu,

and the accelerations solve  M vdot + G^T lam = f,  G vdot = gamma.  All three use one factorised matrix, formed at the
predicted state: residuals are exact, factors are frozen (quasi-Newton), and the matrix is factored anew only where the
corrections shrink by less than half.
"""

import math

from ..dynamics.bias import bias_forces
from ..dynamics.constraint import (
    constraint_accelerations,
    constraint_jacobian,
    constraint_values,
    constraint_velocities,
)
from ..dynamics.kinematics import coasting, kinematics, positions, shift_coordinates
from ..dynamics.loads import loads
from ..dynamics.mass_matrix import mass_matrix, mass_times
from ..dynamics.state import kinematic_rates, parts
from ..num.dense import add_scaled, copy, fill, inner
from ..num.jit import inline, kernel
from ..num.status import Status
from .rangespace import factorise, reselect_rows, solve

_OK, _NAN, _OPEN = int(Status.OK), int(Status.NOT_FINITE), int(Status.NO_CLOSURE)
_ROWS = int(Status.SINGULAR_CONSTRAINTS)
_SLOW = 0.25  # squared contraction: corrections must at least halve
CLOSED = 1e-15  # target of positions and velocities; `closure` is what is still accepted where rounding forbids it
_EXACT = 1e-24  # squared relative size of a correction after which the next would be rounding
_TRIES = 8


@kernel
def equations(tables, work, t, q, v, x):
    """M, f, G, gamma at a state."""
    kinematics(tables.links, q, v, work.bodies, work.dofs)
    coasting(tables.links, work.bodies)
    loads(tables, work, t, q, v, x)
    bias_forces(tables.links, tables.settings[0].gravity, work.bodies, work.dofs, work.f)
    mass_matrix(tables.links, tables.dof_parent, work.bodies, work.dofs, work.M)
    constraint_jacobian(tables, work)
    constraint_accelerations(tables, work, t)


@inline
def transpose_times(work, lam, out):
    """out -= G^T lam over the active rows."""
    for k in range(work.report[0].rank):
        add_scaled(-lam[k], work.G[work.active[k]], out)


@inline
def active_residual(work, right, u, out):
    """out = right - G u over the active rows."""
    for k in range(work.report[0].rank):
        out[k] = right[work.active[k]] - inner(work.G[work.active[k]], u)


@inline
def weight(work, a):
    """Squared length in the metric of the diagonal of M."""
    total = 0.0
    for k in range(a.shape[0]):
        total += work.M[k, k] * a[k] * a[k]
    return total


@kernel
def reselect(tables, work):
    """Choose rows and factor anew at the present M and G."""
    status = reselect_rows(tables, work)
    return factorise(tables, work) if status == _OK else status


@kernel
def accelerate_direct(tables, work, lam):
    """vdot and multipliers with fresh factors; rows are chosen at the first call and where they became singular."""
    status = factorise(tables, work) if work.report[0].selections > 0 else _ROWS
    if status == _ROWS:
        status = reselect(tables, work)
    if status != _OK:
        return status
    r2 = work.scratch[1]
    for k in range(work.report[0].rank):
        r2[k] = work.gamma[work.active[k]]
    copy(work.f, work.vdot)
    solve(tables, work, work.vdot, r2, lam)
    return _OK if math.isfinite(inner(work.vdot, work.vdot)) else _NAN


@kernel
def accelerate_frozen(tables, work, lam):
    """The same by corrections with frozen factors, starting from the last vdot and lam.  [Lee1994, eq. (30)]"""
    nv, vdot = work.f.shape[0], work.vdot
    r1, r2, dlam = work.scratch[2][:nv], work.scratch[1], work.scratch[3]
    before = math.inf
    for _ in range(_TRIES):
        mass_times(tables.dof_parent, work.M, vdot, r1)
        for k in range(nv):
            r1[k] = work.f[k] - r1[k]
        transpose_times(work, lam, r1)
        active_residual(work, work.gamma, vdot, r2)
        solve(tables, work, r1, r2, dlam)
        work.report[0].iterations += 1
        add_scaled(1.0, r1, vdot)
        for k in range(work.report[0].rank):
            lam[k] += dlam[k]
        change = weight(work, r1)
        if change <= _EXACT * weight(work, vdot):
            return _OK
        if not change <= _SLOW * before:
            break
        before = change
    return accelerate_direct(tables, work, lam)


@kernel
def rhs(tables, work, t, y, ydot):
    q, v, x = parts(tables, y)
    lam = work.scratch[7]
    equations(tables, work, t, q, v, x)
    report = work.report[0]
    report.evaluations += 1
    frozen = report.fresh == 1
    report.fresh = 0
    status = accelerate_frozen(tables, work, lam) if frozen else accelerate_direct(tables, work, lam)
    if status != _OK:
        return status
    fill(work.lam, 0.0)
    for k in range(report.rank):
        work.lam[work.active[k]] = lam[k]
    kinematic_rates(tables, work, q, v, y, ydot)
    copy(work.vdot, parts(tables, ydot)[1])
    return _OK


@inline
def largest(tables, values):
    """Largest residual, rows that are angles taken at the size of the machine."""
    most = 0.0
    for r in range(values.shape[0]):
        size = abs(values[r]) * (1.0 if tables.row_scale[r] > 0.0 else tables.settings[0].length)
        if not size <= most:
            most = size
    return most


@inline
def rounding(tables, work):
    """What positions this far from the origin can be trusted to."""
    far = tables.settings[0].length
    for i in range(work.bodies.shape[0]):
        p = work.bodies[i].p
        far = max(far, abs(p[0]), abs(p[1]), abs(p[2]))
    return 2e-15 * far


@kernel
def close_positions(tables, work, t, q, x):
    """Position correction with the stored factors.  [Lee1994, eqs. (23)-(26)]"""
    nv = work.f.shape[0]
    moved, tau = work.scratch[4][:nv], work.scratch[5]
    r1, r2, dtau = work.scratch[2][:nv], work.scratch[1], work.scratch[3]
    fill(moved, 0.0)
    fill(tau, 0.0)
    before = math.inf
    for _ in range(_TRIES):
        positions(tables.links, q, work.bodies, work.dofs)
        constraint_values(tables, work, t, q, x)
        error = largest(tables, work.g)
        work.report[0].position_error = error
        if error <= max(CLOSED * tables.settings[0].length, rounding(tables, work)):
            return _OK
        if not error <= 0.5 * before:
            return _OK if error <= tables.settings[0].closure * tables.settings[0].length else _OPEN
        before = error
        mass_times(tables.dof_parent, work.M, moved, r1)
        for k in range(nv):
            r1[k] = -r1[k]
        constraint_jacobian(tables, work)
        transpose_times(work, tau, r1)
        for k in range(work.report[0].rank):
            r2[k] = -work.g[work.active[k]]
        solve(tables, work, r1, r2, dtau)
        work.report[0].iterations += 1
        for k in range(work.report[0].rank):
            tau[k] += dtau[k]
        add_scaled(1.0, r1, moved)
        shift_coordinates(tables.links, q, r1)
    return _OPEN


@inline
def keep_kick(work, change, v):
    """Part of the velocity that settling took away; `change` is its squared weight."""
    present = weight(work, v)
    work.report[0].kick = math.sqrt(change / present) if present > 0.0 else 0.0


@kernel
def close_velocities(tables, work, t, v):
    """Velocity correction with the stored factors.  [Lee1994, eqs. (27)-(29)]"""
    nv = work.f.shape[0]
    r1, r2, dtau = work.scratch[2][:nv], work.scratch[1], work.scratch[3]
    constraint_jacobian(tables, work)
    constraint_velocities(tables, work, t)
    work.report[0].kick = 0.0
    fast = 1.0
    for k in range(nv):
        fast = max(fast, abs(v[k]))
    before, change = math.inf, 0.0
    for _ in range(_TRIES):
        for r in range(work.g.shape[0]):
            work.g[r] = inner(work.G[r], v) - work.nu[r]
        error = largest(tables, work.g)
        work.report[0].velocity_error = error
        if error <= CLOSED * tables.settings[0].length * fast:
            return _OK
        if not error <= 0.5 * before:
            return _OK if error <= tables.settings[0].closure * tables.settings[0].length * fast else _OPEN
        before = error
        fill(r1, 0.0)
        for k in range(work.report[0].rank):
            r2[k] = -work.g[work.active[k]]
        solve(tables, work, r1, r2, dtau)
        work.report[0].iterations += 1
        add_scaled(1.0, r1, v)
        change += weight(work, r1)
        keep_kick(work, change, v)
    return _OPEN


@kernel
def settle(tables, work, t, y):
    q, v, x = parts(tables, y)
    nothing = work.scratch[6][: work.f.shape[0]]
    fill(nothing, 0.0)
    shift_coordinates(tables.links, q, nothing)  # unit quaternions
    status = _OPEN
    for attempt in range(4):
        if attempt > 0 or work.report[0].factorisations == 0:
            equations(tables, work, t, q, v, x)
            status = reselect(tables, work)
            if status != _OK:
                return status
        status = close_positions(tables, work, t, q, x)
        if status == _OK:
            status = close_velocities(tables, work, t, v)
        if status == _OK:
            break
    work.report[0].fresh = 1
    return status
