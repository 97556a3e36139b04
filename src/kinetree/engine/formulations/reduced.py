"""The shared reduced path: one equation in a basis N of the null space of G, whatever gave the
basis.

    N^T M N zddot = N^T (f - M a),   vdot = a + N zddot,   lam = G+^T (f - M vdot),     G a = gamma

[Kim1997, eqs. (4.8)-(4.13); LeeJoo, eqs. (44)-(50); Han1994, eq. (17)], with the sign of lam and
the stiffness term
corrected. The velocities v are integrated, not the reduced rates zdot = N^T (v - G+ nu): the basis
may then turn from
step to step, and the rheonomic term that the papers leave out of zddot never arises.

Machines with many loops have local bases instead of one of the whole machine (`local.py`).

Positions are restored by  dq = -G+ g  (or by the dependent coordinates alone), velocities by  v <-
                           v - G+ (G v - nu).
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.python_calls import asked
from ...kernel.tables.sparse import (
    accelerate_locally,
    carry_bases,
    exchange_bases,
    local_particular,
    renew_bases,
)
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import is_packed
from ..equations.interface import equations, jacobian, shift, velocities
from ..kkt.mass_factor import factorise_mass, mass_times, solve_lower, solve_upper
from ..kkt.partition import basis as partition_basis
from ..kkt.partition import give_up, partition, solve_dependent
from ..kkt.partition import worn as partition_worn
from ..kkt.products import misfits, weight
from ..kkt.projection import keep_kick, largest, newton, speed
from ..kkt.row_selection import exchange_rows, renew_rows, worn
from ..kkt.row_space import right_inverse, right_inverse_transposed
from . import basis_projection, basis_qr, basis_qr_update, basis_svd
from .basis_qr_update import turned_away
from .store_result import answer
from .variants import (
    MANI,
    PARTITION_PRINTED,
    PARTITION_QR,
    PROJECTION,
    QR,
    QR_UPDATE,
    SVD,
    SVD_VELOCITY,
    is_partition,
)

_OK, _NAN, _OPEN = int(Status.OK), int(Status.NOT_FINITE), int(Status.NO_CLOSURE)
_MASS = int(Status.SINGULAR_MASS)

_project, _qr, _svd = basis_projection.basis, basis_qr.basis, basis_svd.basis
_carried, _updated = basis_projection.carried, basis_qr_update.updated
MANY = 4  # corrections of the dependent coordinates beyond which PARTITION_PRINTED chooses others


@internal_kernel
def decompose(tables, work):
    """Row space of G, and the partition where coordinates are partitioned; of a machine with local
    bases all of these.
    """
    if is_packed(work):
        return renew_bases(tables, work)
    before = work.report[0].selections
    status = renew_rows(tables, work, False)
    return divide(tables, work, before) if status == _OK else status


@internal_kernel
def divide(tables, work, before):
    """The partition that goes with the rows in use, chosen anew if they were."""
    option = tables.settings[0].option
    if not is_partition(option):
        return _OK
    if work.report[0].selections != before:
        give_up(work.report[0])
    if (
        option == PARTITION_PRINTED and tables.settings[0].nq == tables.settings[0].nv
    ):  # turns of a quaternion do not part
        work.report[0].passive = work.report[0].rank
    return partition(tables, work, option == PARTITION_QR)


@inline
def partition_has_worn(tables, work, corrections):
    """Whether other independent coordinates are due: by how far errors are magnified, or as printed
    by the corrections taken.
    """
    option = tables.settings[0].option
    if option == PARTITION_PRINTED:
        return corrections > MANY
    return is_partition(option) and partition_worn(work.report[0])


@kernel
def exchange_worn(tables, work, corrections):
    """At a settled state: where the rows in use have come close to each other, or a partition has
    worn, others are chosen.
    """
    report, before, status = work.report[0], work.report[0].selections, _OK
    if worn(report):
        status = (
            exchange_bases(tables, work) if is_packed(work) else exchange_rows(tables, work, False)
        )
    elif partition_has_worn(tables, work, corrections):
        give_up(report)
    else:
        return _OK
    if is_packed(work):
        return renew_bases(tables, work) if report.selections == before else status
    return divide(tables, work, before) if status == _OK else status


@internal_kernel
def null_basis(tables, work):
    """Rows of N by the method asked for."""
    option = tables.settings[0].option
    if is_partition(option):
        return partition_basis(tables, work)
    if option == PROJECTION:
        return _project(tables, work)
    if option == QR_UPDATE and work.report[0].transported == 1 and _updated(work):
        return _OK
    if option == QR or option == QR_UPDATE:
        return _qr(tables, work)
    if option == SVD or work.report[0].transported == 0:
        return _svd(tables, work)
    _carried(work)
    return _OK


@inline
def particular(tables, work, r, out):
    """One solution of G out = r: the least one, or in the dependent coordinates alone."""
    if is_packed(work):
        local_particular(tables, work, r, out)
    elif is_partition(tables.settings[0].option):
        solve_dependent(work, r, out)
    else:
        right_inverse(work, r, out)


@internal_kernel
def reduced_accelerations(tables, work, lam):
    """vdot and the multipliers of the active rows."""
    nv, freedoms = work.f.shape[0], work.f.shape[0] - work.report[0].rank
    r2, Mr, z = work.scratch[1], work.scratch[2][:nv], work.scratch[3][:freedoms]
    a = work.vdot
    for k in range(work.report[0].rank):
        r2[k] = work.gamma[work.active[k]]
    particular(tables, work, r2, a)
    mass_times(tables.dof_parent, work.M, a, Mr)
    for k in range(nv):
        Mr[k] = work.f[k] - Mr[k]
    for k in range(freedoms):
        z[k] = inner(work.N[k], Mr)
    for k in range(freedoms):
        mass_times(tables.dof_parent, work.M, work.N[k], Mr)
        for j in range(k + 1):
            work.K[k, j] = inner(work.N[j], Mr)
    bad = factorise_mass(work.chain, work.zeros, work.K[:freedoms], work.L)
    if bad >= 0:
        work.report[0].index = 0
        return _MASS
    solve_upper(work.chain, work.L, z)
    solve_lower(work.chain, work.L, z)
    for k in range(freedoms):
        add_scaled(z[k], work.N[k], a)
    mass_times(tables.dof_parent, work.M, a, Mr)
    for k in range(nv):
        Mr[k] = work.f[k] - Mr[k]
    right_inverse_transposed(work, Mr, lam)
    return _OK if math.isfinite(inner(a, a)) else _NAN


@internal_kernel
def follow(tables, work, t, q, v):
    """Dependent velocities from the independent ones:  G_u du = nu - G_v dv.   [Han1994, eq. (17)]"""
    step, r2 = work.scratch[5][: work.f.shape[0]], work.scratch[1]
    velocities(tables, work, t, q)
    jacobian(tables, work, q)
    status = decompose(tables, work)
    for _ in range(2 if status == _OK else 0):
        misfits(tables, work, v)
        for k in range(work.report[0].rank):
            r2[k] = -work.g[work.active[k]]
        particular(tables, work, r2, step)
        add_scaled(1.0, step, v)
    return status


@asked
def rhs(tables, work, t, y, ydot):
    nq = tables.settings[0].nq
    q, v, x = parts(tables, y)
    if is_partition(tables.settings[0].option) and work.report[0].partitions > 0:
        q = work.scratch[4][:nq]
        copy(y, q)
        status = close_positions(tables, work, t, q, x)
        if status == _OK and tables.settings[0].option == PARTITION_PRINTED:
            v = work.scratch[6][: work.f.shape[0]]
            copy(y[nq:], v)
            status = follow(tables, work, t, q, v)
        if status != _OK:
            return status
    lam = work.scratch[7]
    equations(tables, work, t, q, v, x)
    work.report[0].evaluations += 1
    status = decompose(tables, work)
    if status == _OK and is_packed(work):
        status = accelerate_locally(tables, work, lam)
    elif status == _OK:
        status = null_basis(tables, work)
        if status == _OK:
            status = reduced_accelerations(tables, work, lam)
    if status == _OK:
        answer(tables, work, q, v, y, ydot, lam)
    return status


@inline
def with_fresh_factors(tables, work):
    """dq = -G+ g,  or  du = -G_u^-1 g.   [Kim1997, eq. (5.1)]"""
    step, r2 = work.scratch[5][: work.f.shape[0]], work.scratch[1]
    status = decompose(tables, work)
    if status == _OK:
        for k in range(work.report[0].rank):
            r2[k] = -work.g[work.active[k]]
        particular(tables, work, r2, step)
    return status, step


@kernel
def close_positions(tables, work, t, q, x):
    """Gauss-Newton with fresh Jacobians."""
    return newton(tables, work, t, q, x, with_fresh_factors, 0.9, True)


@kernel
def close_velocities(tables, work, t, q, v):
    """v <- v - G+ (G v - nu), or the dependent velocities from the independent ones.   [Kim1997,
    eq. (5.2); Han1994, (17)]
    """
    report, step, r2 = work.report[0], work.scratch[5][: work.f.shape[0]], work.scratch[1]
    velocities(tables, work, t, q)
    jacobian(tables, work, q)
    status = decompose(tables, work)
    if status != _OK:
        return status
    misfits(tables, work, v)
    report.velocity_error, report.kick = largest(tables, work, work.g, speed(v, 1.0)), 0.0
    if report.velocity_error <= tables.settings[0].closure:
        return _OK
    change = 0.0
    for _ in range(2):
        misfits(tables, work, v)
        for k in range(report.rank):
            r2[k] = -work.g[work.active[k]]
        particular(tables, work, r2, step)
        add_scaled(1.0, step, v)
        change += weight(tables, work, step)
    keep_kick(tables, work, change, v)
    misfits(tables, work, v)
    report.velocity_error = largest(tables, work, work.g, speed(v, 1.0))
    return _OK


@internal_kernel
def carry_basis(tables, work, v):
    """After an accepted step: N becomes the basis V of the next, or is decomposed anew where it has
    worn out.
    """
    report, nv = work.report[0], work.f.shape[0]
    option = tables.settings[0].option
    if is_packed(work):
        return carry_bases(tables, work, v)
    if is_partition(option):
        return _OK
    if option == QR_UPDATE and report.transported == 1:
        status = null_basis(tables, work)
        if not turned_away(report):
            return status
        report.transported = 0
    if option == SVD_VELOCITY and report.transported == 1:
        seen = 0.0
        for k in range(nv - report.rank):
            seen += inner(work.V[k], v) ** 2
        if seen > MANI * MANI * inner(v, v):
            return _OK
        report.transported = 0
    status = null_basis(tables, work)
    for k in range(nv - report.rank):
        copy(work.N[k], work.V[k])
    report.transported = 1
    return status


@asked
def project(tables, work, t, y):
    q, v, x = parts(tables, y)
    nothing = work.scratch[6][: work.f.shape[0]]
    fill(nothing, 0.0)
    shift(tables, work, q, nothing)
    if work.report[0].selections == 0:
        equations(tables, work, t, q, v, x)
        status = decompose(tables, work)
        if status != _OK:
            return status
    corrections = -work.report[0].iterations
    status = close_positions(tables, work, t, q, x)
    corrections += work.report[0].iterations
    if status == _OPEN and is_partition(tables.settings[0].option):
        give_up(work.report[0])  # a poor partition: choose it anew and try once more
        status = close_positions(tables, work, t, q, x)
    if status == _OK:
        status = close_velocities(tables, work, t, q, v)
    if status == _OK:
        status = exchange_worn(tables, work, corrections)
    return carry_basis(tables, work, v) if status == _OK else status
