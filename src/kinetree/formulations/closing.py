"""Back onto the constraints with stored factors: the smallest change in the mass metric.  [Lee1994, eqs. (23)-(29)]

    min 1/2 (q - q*)^T M (q - q*)  s.t. g = 0,      min 1/2 (v - v*)^T M (v - v*)  s.t. G v = nu
"""

import math

from ..dynamics.constraint import constraint_jacobian, constraint_values, constraint_velocities
from ..dynamics.kinematics import positions, shift_coordinates
from ..dynamics.mass_matrix import mass_times
from ..num.dense import add_scaled, fill, inner
from ..num.jit import inline, kernel
from ..num.status import Status
from .rangespace import solve

_OK, _OPEN = int(Status.OK), int(Status.NO_CLOSURE)
CLOSED = 1e-15  # target of positions and velocities; `closure` is what is still accepted where rounding forbids it
_TRIES = 8
_SLACK = 4.0  # absorbed gaps by which redundant rows may be off ...
_NARROW = 0.01  # ... over the margin of the rows in use, which magnifies them; but not more than so


@inline
def transpose_times(work, lam, out):
    """out -= G^T lam over the active rows."""
    for k in range(work.report[0].rank):
        add_scaled(-lam[k], work.G[work.active[k]], out)


@inline
def weight(work, a):
    """Squared length in the metric of the diagonal of M."""
    total = 0.0
    for k in range(a.shape[0]):
        total += work.M[k, k] * a[k] * a[k]
    return total


@inline
def largest(tables, work, values, fast):
    """Largest residual, rows that are angles taken at the size of the machine.

    Rows not in use may be off by the gap that was absorbed when the machine was assembled, which changes with the position
    by about as much; `fast` makes that a velocity.
    """
    most, slack = 0.0, _SLACK * tables.settings[0].absorbed * fast / max(work.report[0].margin, _NARROW)
    for k in range(values.shape[0]):
        r = work.active[k]
        size = abs(values[r]) * (1.0 if tables.row_scale[r] > 0.0 else tables.settings[0].length)
        if k >= work.report[0].rank:
            size -= slack
        if not size <= most:
            most = size
    return most


@inline
def speed(v):
    """Largest velocity, at least one: what rounding of velocities is measured against."""
    fast = 1.0
    for k in range(v.shape[0]):
        fast = max(fast, abs(v[k]))
    return fast


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
        positions(tables, work, q)
        constraint_values(tables, work, t, q, x)
        error = largest(tables, work, work.g, 1.0)
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
    fast, before, change = speed(v), math.inf, 0.0
    for _ in range(_TRIES):
        for r in range(work.g.shape[0]):
            work.g[r] = inner(work.G[r], v) - work.nu[r]
        error = largest(tables, work, work.g, fast)
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
