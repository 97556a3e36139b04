"""The projection method as printed, to show what its errata do.   [Kim1997, eqs. (4.6)-(4.13)]

Reduced rates zdot are carried over from step to step and their printed derivative is integrated,

    qdot = I_R b + P_NT zdot,    M11 zddot = P_NT^T (f - M I_R a),    P_NT = P_N(q) P_T(previous)

LITERAL      P_NT as printed, never renormalised: it shrinks, and the motion is damped by O(h),
             whatever the integrator.
RHEONOMIC    P_NT renormalised, but zddot still without -V+ P_N Gdot^T (G G^T)^-1 b: a wrong limit
             under drivers.
SVD_PRINTED  [LeeJoo, eqs. (45)-(49)]: qdot = V2 zdot with the V2 of each decomposition. Its vectors
             turn among themselves, and
             change their signs, from one position to the next, which zddot does not account for: a
             wrong motion, unless V2 is constant, as that of the rigid parallelogram.

The multipliers of the first two carry the printed sign of eq. (4.11). The state keeps v = I_R b + V
zdot with the V and b of
the last accepted step, so that y looks the same as in every other formulation.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.python_calls import asked
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ..equations.interface import equations, rates, shift, velocities
from ..kkt.row_space import remove_row_space, right_inverse
from .basis_projection import carried, first
from .basis_svd import basis as by_singular_values
from .reduced import close_positions, decompose, reduced_accelerations
from .store_result import spread

LITERAL, RHEONOMIC, SVD_PRINTED = (
    -1,
    -2,
    -3,
)  # variants beside those of reduced.py, whose steps are shared
_OK, _NAN = int(Status.OK), int(Status.NOT_FINITE)


@inline
def drift(tables, work, t, q, out):
    """out <- I_R b, the velocity that the drivers impose."""
    r2 = work.scratch[1]
    velocities(tables, work, t, q)
    for k in range(work.report[0].rank):
        r2[k] = work.nu[work.active[k]]
    right_inverse(work, r2, out)


@internal_kernel
def present_basis(tables, work):
    """P_NT or V2 into N; returns a Status."""
    option, freedoms = tables.settings[0].option, work.f.shape[0] - work.report[0].rank
    if option == SVD_PRINTED:
        return by_singular_values(tables, work)
    if option == RHEONOMIC:
        carried(work)
        return _OK
    for k in range(freedoms):
        copy(work.V[k], work.N[k])
        remove_row_space(work.Q, work.report[0].rank, work.N[k])
    return _OK


@inline
def read_rates(work, v, carried, zdot):
    """zdot = V^+ (v - I_R b) with the V and b of the last step; V may have shrunk, hence the
    division.
    """
    for k in range(zdot.shape[0]):
        zdot[k] = (inner(work.V[k], v) - inner(work.V[k], carried)) / inner(work.V[k], work.V[k])


@inline
def velocity(work, drive, zdot, out):
    copy(drive, out)
    for k in range(zdot.shape[0]):
        add_scaled(zdot[k], work.N[k], out)


@internal_kernel
def begin(tables, work, t, q, v, x):
    """At the first call: rows, basis and drift at the initial state."""
    equations(tables, work, t, q, v, x)
    status = decompose(tables, work)
    if status != _OK:
        return status
    if tables.settings[0].option == SVD_PRINTED:
        by_singular_values(tables, work)
    else:
        first(work, work.Q)
    for k in range(work.f.shape[0] - work.report[0].rank):
        copy(work.N[k], work.V[k])
    drift(tables, work, t, q, work.memory)
    work.report[0].transported = 1
    return _OK


@inline
def present_velocity(tables, work, t, q, w, x, zdot, drifted, v):
    """The basis at q, and the velocity there that has the rates zdot; answers a Status."""
    equations(tables, work, t, q, w, x)
    status = decompose(tables, work)
    if status == _OK:
        status = present_basis(tables, work)
    if status == _OK:
        drift(tables, work, t, q, drifted)
        velocity(work, drifted, zdot, v)
    return status


@asked
def rhs(tables, work, t, y, ydot):
    q, w, x = parts(tables, y)
    nv = work.f.shape[0]
    if work.report[0].transported == 0:
        status = begin(tables, work, t, q, w, x)
        if status != _OK:
            return status
    v, zdot = work.scratch[4][:nv], work.scratch[0][: nv - work.report[0].rank]
    read_rates(work, w, work.memory, zdot)
    status = present_velocity(tables, work, t, q, w, x, zdot, work.scratch[5][:nv], v)
    if status != _OK:
        return status
    equations(tables, work, t, q, v, x)
    status = reduced_accelerations(tables, work, work.scratch[7])
    if status != _OK:
        return status
    spread(work, work.scratch[7], 1.0 if tables.settings[0].option == SVD_PRINTED else -1.0)
    rates(tables, work, q, v, y, ydot)
    vdot = parts(tables, ydot)[1]
    fill(vdot, 0.0)
    for k in range(zdot.shape[0]):
        add_scaled(work.scratch[3][k], work.V[k], vdot)  # zddot as the reduced path left it
    return _OK if math.isfinite(inner(vdot, vdot)) else _NAN


@asked
def project(tables, work, t, y):
    q, v, x = parts(tables, y)
    nv = work.f.shape[0]
    nothing = work.scratch[6][:nv]
    fill(nothing, 0.0)
    shift(tables, work, q, nothing)
    if work.report[0].transported == 0:
        status = begin(tables, work, t, q, v, x)
        if status != _OK:
            return status
    status = close_positions(tables, work, t, q, x)
    if status != _OK:
        return status
    zdot = work.scratch[0][: nv - work.report[0].rank]
    read_rates(work, v, work.memory, zdot)
    status = present_velocity(tables, work, t, q, v, x, zdot, work.memory, v)
    if status != _OK:
        return status
    for k in range(zdot.shape[0]):
        copy(work.N[k], work.V[k])
    return _OK
