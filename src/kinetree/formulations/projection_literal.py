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

from ..num.dense import add_scaled, copy, fill, inner
from ..num.jit import inline, stage
from ..num.status import Status
from ..plants.contract import equations, rates, shift, velocities
from ..saddle.rowspace import project, right_inverse
from ..tables.doors import asked
from ..tables.state import parts
from .answer import spread
from .basis_projection import carried, first
from .basis_svd import basis as by_singular_values
from .reduced import close_positions, decompose, reduced_accelerations

LITERAL, RHEONOMIC, SVD_PRINTED = (
    -1,
    -2,
    -3,
)  # variants beside those of reduced.py, whose steps are shared
_SWEEPS, _ROUNDING = 100, 1e-32  # sweeps over the columns, and square of the part that ends them
_OK, _NAN = int(Status.OK), int(Status.NOT_FINITE)


@inline
def drift(tables, work, t, q, out):
    """out <- I_R b, the velocity that the drivers impose."""
    r2 = work.scratch[1]
    velocities(tables, work, t, q)
    for k in range(work.report[0].rank):
        r2[k] = work.nu[work.active[k]]
    right_inverse(work, r2, out)


@stage
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
        project(work.Q, work.report[0].rank, work.N[k])
    return _OK


@inline
def read_rates(work, v, carried, zdot):
    """zdot = V^+ (v - I_R b) with the V and b of the last step.

    Columns of V have shrunk, and are no longer perpendicular to each other: the equations V^T V
    zdot = V^T (v - I_R b) are solved by the method of Gauss and Seidel, whose matrix is nearly 1.
    """
    rest = work.scratch[2][: v.shape[0]]
    for i in range(v.shape[0]):
        rest[i] = v[i] - carried[i]
    fill(zdot, 0.0)
    small = _ROUNDING * inner(rest, rest)
    for _ in range(_SWEEPS):
        most = 0.0
        for k in range(zdot.shape[0]):
            size = inner(work.V[k], work.V[k])
            change = inner(work.V[k], rest) / size
            zdot[k] += change
            add_scaled(-change, work.V[k], rest)
            most = max(most, change * change * size)
        if most <= small:
            break


@inline
def velocity(work, drive, zdot, out):
    copy(drive, out)
    for k in range(zdot.shape[0]):
        add_scaled(zdot[k], work.N[k], out)


@stage
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
def settle(tables, work, t, y):
    q, v, x = parts(tables, y)
    nv = work.f.shape[0]
    nothing = work.scratch[6][:nv]
    fill(nothing, 0.0)
    work.report[0].rebased = 1
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
