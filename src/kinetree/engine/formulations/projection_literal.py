"""The projection method as printed, to show the effect of its errata.   [Kim1997, (4.6)-(4.13)]

Reduced rates zdot are kept from step to step, and their printed derivative is integrated:

    qdot = I_R b + P_NT zdot,    M11 zddot = P_NT^T (f - M I_R a),    P_NT = P_N(q) P_T(previous)

LITERAL      P_NT as printed, never renormalized: it shrinks, and the motion is damped by O(h) with
             every integrator.
RHEONOMIC    P_NT renormalized, but zddot still without -V+ P_N Gdot^T (G G^T)^-1 b: the limit is
             wrong under drivers.
SVD_PRINTED  [LeeJoo, eqs. (45)-(49)]: qdot = V2 zdot with the V2 of each decomposition. Its vectors
             rotate among themselves and change sign from one position to the next, which zddot does
             not account for: the motion is wrong unless V2 is constant, as for the rigid
             parallelogram.

The multipliers of the first two have the printed sign of eq. (4.11). The state contains
v = I_R b + V zdot with the V and b of the last accepted step, so that y has the same meaning as in
every other formulation.
"""

from __future__ import annotations

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..equations.interface import equations, rates, shift, velocities
from ..kkt.row_space import remove_row_space, right_inverse
from .basis_projection import first, transported_basis
from .basis_svd import basis as by_singular_values
from .null_space import decompose
from .reduced import close_positions, reduced_accelerations
from .store_result import store_multipliers

LITERAL, RHEONOMIC, SVD_PRINTED = -1, -2, -3  # beside the variants of `variants.py`
_SWEEPS, _ROUNDING = 100, 1e-32  # sweeps over the columns, and square of the part that ends them
_OK, _NAN = int(Status.OK), int(Status.NOT_FINITE)


@inline
def drift(tables, work, t, q, out):
    """out <- I_R b, the velocity that the drivers impose."""
    r2 = work.row_rhs
    velocities(tables, work, t, q)
    for k in range(work.report[0].rank):
        r2[k] = work.nu[work.selected[k]]
    right_inverse(work, r2, out)


@internal_kernel
def present_basis(tables, work):
    """N <- P_NT or V2. Returns a Status."""
    option, n_free = tables.settings[0].option, work.f.shape[0] - work.report[0].rank
    if option == SVD_PRINTED:
        return by_singular_values(tables, work)
    if option == RHEONOMIC:
        transported_basis(work)
        return _OK
    for k in range(n_free):
        copy(work.V[k], work.N[k])
        remove_row_space(work.Q, work.report[0].rank, work.N[k])
    return _OK


@inline
def read_rates(work, v, carried, zdot):
    """zdot = V^+ (v - I_R b) with the V and b of the last step.

    The columns of V have shrunk and are no longer orthogonal: Gauss-Seidel sweeps solve
    V^T V zdot = V^T (v - I_R b), whose matrix is close to the identity.
    """
    rest = work.v_rhs
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
    """out <- drive + N zdot."""
    copy(drive, out)
    for k in range(zdot.shape[0]):
        add_scaled(zdot[k], work.N[k], out)


@internal_kernel
def begin(tables, work, t, q, v, x):
    """At the first call: select rows, compute basis and drift at the initial state."""
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
    drift(tables, work, t, q, work.previous_drift)
    work.report[0].has_previous_basis = 1
    return _OK


@inline
def present_velocity(tables, work, t, q, w, x, zdot, drifted, v):
    """The basis at q, and the velocity v with the rates zdot there. Returns a Status."""
    equations(tables, work, t, q, w, x)
    status = decompose(tables, work)
    if status == _OK:
        status = present_basis(tables, work)
    if status == _OK:
        drift(tables, work, t, q, drifted)
        velocity(work, drifted, zdot, v)
    return status


@kernel
def rhs(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """Derivative of the state with the printed zddot. Returns a Status."""
    q, w, x = parts(tables, y)
    nv = work.f.shape[0]
    if work.report[0].has_previous_basis == 0:
        status = begin(tables, work, t, q, w, x)
        if status != _OK:
            return status
    v, zdot = work.v_trial, work.zdot[: nv - work.report[0].rank]
    read_rates(work, w, work.previous_drift, zdot)
    status = present_velocity(tables, work, t, q, w, x, zdot, work.v_step, v)
    if status != _OK:
        return status
    equations(tables, work, t, q, v, x)
    status = reduced_accelerations(tables, work, work.lam_selected)
    if status != _OK:
        return status
    store_multipliers(
        work, work.lam_selected, 1.0 if tables.settings[0].option == SVD_PRINTED else -1.0
    )
    rates(tables, work, q, v, y, ydot)
    vdot = parts(tables, ydot)[1]
    fill(vdot, 0.0)
    for k in range(zdot.shape[0]):
        add_scaled(work.zddot[k], work.V[k], vdot)  # zddot as the reduced path left it
    return _OK if math.isfinite(inner(vdot, vdot)) else _NAN


@kernel
def project(tables: Tables, work: Work, t: float, y: Vector):
    """Project positions and keep the reduced rates. Returns a Status."""
    q, v, x = parts(tables, y)
    nv = work.f.shape[0]
    work.report[0].rebased = 1
    shift(tables, work, q, work.zeros)
    if work.report[0].has_previous_basis == 0:
        status = begin(tables, work, t, q, v, x)
        if status != _OK:
            return status
    status = close_positions(tables, work, t, q, x)
    if status != _OK:
        return status
    zdot = work.zdot[: nv - work.report[0].rank]
    read_rates(work, v, work.previous_drift, zdot)
    status = present_velocity(tables, work, t, q, v, x, zdot, work.previous_drift, v)
    if status != _OK:
        return status
    for k in range(zdot.shape[0]):
        copy(work.N[k], work.V[k])
    return _OK
